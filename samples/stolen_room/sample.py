"""The files of the cluster whose freed room is stolen, and its scenarios, as they lie beside this module."""

from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
FILES = ("cluster.yaml", "running.yaml", "pending.yaml")


def stolen_room_files() -> list[tuple[str, bytes]]:
    """Return the cluster's YAML files, in the order in which their objects are to be read."""
    return [(name, (FOLDER / name).read_bytes()) for name in FILES]


def stolen_room_scenarios() -> list[dict[str, Any]]:
    """Return name, profile, driver and controllers of each scenario."""
    scenarios: list[dict[str, Any]] = yaml.safe_load((FOLDER / "scenarios.yaml").read_text())
    return scenarios
