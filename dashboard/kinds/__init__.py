"""What pages and REST say and keep of each kind of scheduler: a package here for each, found by its name.

A kind without a package of its own is told in the words that hold for any scheduler (`kind.py`).
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from dashboard.kinds.kind import DashboardKind
from scheduler_core.schedulers import registry
from scheduler_core.schedulers.kind import SchedulerKind


def all_kinds() -> list[DashboardKind]:
    """Return all kinds, kube-scheduler first."""
    return [kind_named(name) for name in registry.kinds()]


@cache
def kind_named(name: str) -> DashboardKind:
    """Return what is said of the kind of scheduler with this name (`kube-scheduler`, `volcano`)."""
    engine = registry.kinds()[name]
    package = type(engine).__module__.split(".")[-2]
    module = f"{__name__}.{package}.kind"
    if find_spec(f"{__name__}.{package}") is None:
        return DashboardKind(engine)
    found: DashboardKind = import_module(module).KIND(engine)
    return found


def kind_of_profile(profile: str) -> DashboardKind:
    """Return what is said of the kind that has a profile. Raises KeyError for a profile that there is not."""
    return kind_named(engine_kind(profile).name)


def engine_kind(profile: str) -> SchedulerKind:
    """Return the kind that has a profile. Raises KeyError for a profile that there is not."""
    kind = registry.kind_of_profile(profile)
    if kind is None:
        raise KeyError(profile)
    return kind


def modules(name: str) -> Iterator[ModuleType]:
    """Yield the modules of a name that packages of kinds have, by the packages' names."""
    for file in sorted(Path(__file__).parent.glob(f"*/{name}.py")):
        yield import_module(f"{__name__}.{file.parent.name}.{name}")
