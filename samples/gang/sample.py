"""The files of the cluster with a gang of eight, and its scenarios, as they lie here."""

from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
FILES = ("nodes.yaml", "pending.yaml")


def gang_files() -> list[tuple[str, bytes]]:
    """Return the cluster's YAML files, in the order in which their objects are to be read."""
    return [(name, (FOLDER / name).read_bytes()) for name in FILES]


def gang_scenarios() -> list[dict[str, Any]]:
    """Return name, profile, configuration and edits of each scenario."""
    scenarios: list[dict[str, Any]] = yaml.safe_load((FOLDER / "scenarios.yaml").read_text())
    return scenarios
