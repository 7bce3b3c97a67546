"""The names of some nodes, made when somebody reads them: of thousands mostly the number is enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from scheduler_core.state.nodes import IntArray


class NodeNames(Sequence[str]):
    """The names of the nodes in `rows`; `all` are those of all nodes, to be read only."""

    def __init__(self, names: list[str], rows: IntArray) -> None:
        self.all = names
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self.all[row] for row in self.rows[place].tolist()]
        return self.all[self.rows.item(place)]

    def __iter__(self) -> Iterator[str]:
        return map(self.all.__getitem__, self.rows.tolist())
