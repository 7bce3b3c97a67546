"""What a checkpoint holds of something: the parts of it that remember, each under a key.

Registers, rows and lists dump and load themselves. Whoever is made of them names them in `remembered`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Protocol


class Checkpointed:
    """Remembers what its parts remember.

    `remembered` has for each key of the checkpoint the attribute with the part; a class adds its own to those
    of its base classes. Parts are restored in this order.
    """

    remembered: ClassVar[Mapping[str, str]] = {}
    _all_remembered: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        own = (vars(base).get("remembered", {}) for base in reversed(cls.__mro__))
        cls._all_remembered = {key: name for remembered in own for key, name in remembered.items()}

    def dump(self) -> dict[str, Any]:
        """Return as plain data what is remembered."""
        return {key: getattr(self, name).dump() for key, name in self._all_remembered.items()}

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned, among other things."""
        for key, name in self._all_remembered.items():
            getattr(self, name).load(data[key])


class Remembers(Protocol):
    """Dumps and loads itself."""

    def dump(self) -> Any: ...

    def load(self, data: Any) -> None: ...


class ByName:
    """Several parts, each under its own name. `parts` returns those that there are."""

    def __init__(self, parts: Callable[[], Iterable[tuple[str, Remembers]]]) -> None:
        self._parts = parts

    def dump(self) -> dict[str, Any]:
        """Return as plain data what each remembers."""
        return {name: part.dump() for name, part in self._parts()}

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""
        for name, part in self._parts():
            part.load(data[name])
