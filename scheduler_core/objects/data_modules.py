"""Modules of data that packages of schedulers have for the objects of an import, found by their name.

They are data alone: what they import is `objects` itself, so that nothing here depends on a scheduler.
"""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import scheduler_core


def data_modules(name: str) -> Iterator[ModuleType]:
    """Yield the modules of a name that packages of the engine have, by the packages' names."""
    for root in scheduler_core.__path__:
        for file in sorted(Path(root).glob(f"*/{name}.py")):
            yield import_module(f"{scheduler_core.__name__}.{file.parent.name}.{name}")
