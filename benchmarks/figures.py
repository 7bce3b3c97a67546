"""A figure that was measured, the table of all of them, and the baseline they are compared with."""

import json
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scheduler_core import ENGINE_VERSION

BASELINE = Path(__file__).parent / "baseline.json"
_WIDTH = 60


@dataclass(frozen=True)
class Figure:
    """One line of the table. `target` is what the product promises, empty where it promises nothing."""

    group: str
    what: str
    value: float
    unit: str
    target: str = ""


def machine() -> dict[str, Any]:
    """Describe what the figures were measured on."""
    return {
        "cpu": _processor(),
        "cores": os.cpu_count(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def print_table(figures: Iterable[Figure]) -> list[Figure]:
    """Print each figure once it is measured, by group, beside its target and its baseline; return all."""
    known = read_baseline()
    printed: list[Figure] = []
    group = ""
    for figure in figures:
        printed.append(figure)
        if figure.group != group:
            group = figure.group
            print(f"\n{group}\n  {'':{_WIDTH}}{'measured':>10}  {'':4}{'baseline':>10}   target")
        before = known.get((figure.group, figure.what))
        baseline = "–" if before is None else shown(before)
        measured = f"{shown(figure.value):>10}  {figure.unit:4}"
        print(f"  {figure.what:{_WIDTH}}{measured}{baseline:>10}   {figure.target}".rstrip(), flush=True)
    return printed


def shown(value: float) -> str:
    """Return a number with as many digits as it deserves."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def read_baseline() -> dict[tuple[str, str], float]:
    """Return the recorded values by group and name."""
    if not BASELINE.exists():
        return {}
    groups = json.loads(BASELINE.read_text())
    return {(group, one["what"]): one["value"] for group in groups for one in groups[group]["figures"]}


def record_baseline(figures: Iterable[Figure]) -> None:
    """Write the figures as the new baseline of their groups, each with the machine and the day."""
    document = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    by_group: dict[str, list[dict[str, Any]]] = {}
    for figure in figures:
        told = {**asdict(figure), "value": round(figure.value, 3)}
        by_group.setdefault(told.pop("group"), []).append(told)
    for group, told_of_group in by_group.items():
        document[group] = {
            "recorded": f"{datetime.now(UTC):%Y-%m-%d}",
            "engine": ENGINE_VERSION,
            "machine": machine(),
            "figures": told_of_group,
        }
    BASELINE.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown"
    )
