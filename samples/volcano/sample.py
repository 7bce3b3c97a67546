"""The clusters of Volcano's samples and their scenarios, as they lie beside this module."""

from pathlib import Path
from typing import Any

import yaml

from samples.volcano.hours import arrivals

FOLDER = Path(__file__).parent


def volcano_files(name: str) -> list[tuple[str, bytes]]:
    """Return the YAML file of a cluster by its name, as `scenarios.yaml` has it."""
    return [(f"{name}.yaml", (FOLDER / f"{name}.yaml").read_bytes())]


def volcano_scenarios(name: str) -> list[dict[str, Any]]:
    """Return what decides in each scenario of a cluster, by the fields of a SampleScenario."""
    scenarios: dict[str, list[dict[str, Any]]] = yaml.safe_load((FOLDER / "scenarios.yaml").read_text())
    edits = {"edits": arrivals()} if name == "hours" else {}
    return [scenario | edits for scenario in scenarios[name]]
