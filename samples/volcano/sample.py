"""The clusters of Volcano's samples and their scenarios, as they lie beside this module."""

from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent


def volcano_files(name: str) -> list[tuple[str, bytes]]:
    """Return the YAML file of a cluster: `gang`, `queues`, `priority` or `restart`."""
    return [(f"{name}.yaml", (FOLDER / f"{name}.yaml").read_bytes())]


def volcano_scenarios(name: str) -> list[dict[str, Any]]:
    """Return name, profile and configuration of each scenario of a cluster."""
    scenarios: dict[str, list[dict[str, Any]]] = yaml.safe_load((FOLDER / "scenarios.yaml").read_text())
    return scenarios[name]
