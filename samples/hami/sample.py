"""The cluster of shared GPUs and its scenarios, as they lie beside this module."""

from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
FILES = ("nodes.yaml", "running.yaml", "pending.yaml")


def hami_files() -> list[tuple[str, bytes]]:
    """Return the YAML files of the cluster."""
    return [(name, (FOLDER / name).read_bytes()) for name in FILES]


def hami_scenarios() -> list[dict[str, Any]]:
    """Return what decides in each scenario, by the fields of a SampleScenario."""
    scenarios: list[dict[str, Any]] = yaml.safe_load((FOLDER / "scenarios.yaml").read_text())
    return scenarios
