"""The teaching cluster's files and scenarios, as they lie beside this module."""

from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
FILES = ("policies.yaml", "nodes.yaml", "workloads.yaml", "agents.yaml", "running.yaml", "pending.yaml")
SCENARIOS_FILE = FOLDER / "scenarios.yaml"


def teaching_files() -> list[tuple[str, bytes]]:
    """Return the cluster's YAML files, in the order in which their objects are to be read."""
    return [(name, (FOLDER / name).read_bytes()) for name in FILES]


def teaching_scenarios() -> list[tuple[str, list[dict[str, Any]]]]:
    """Return name and edits of each scenario."""
    return [(scenario["name"], scenario["edits"]) for scenario in yaml.safe_load(SCENARIOS_FILE.read_text())]
