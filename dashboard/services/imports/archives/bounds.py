"""How much an upload may unpack, and the meter that counts it while it is unpacked."""

from collections.abc import Callable
from dataclasses import dataclass, field

from scheduler_core.objects.problems import BadInput, Problem

RATIO_FREE_BYTES = 10 * 1024 * 1024
"""So much may come out of any archive, however small: little text packs very well."""
PIECE_BYTES = 1024 * 1024
"""How much is unpacked between two looks at the bounds."""


@dataclass(frozen=True)
class Bounds:
    """The limits of an upload. ratio: unpacked bytes for each byte of an archive. folders: depth of paths."""

    entries: int = 10_000
    unpacked_bytes: int = 2 * 1024**3
    ratio: int = 200
    folders: int = 16


@dataclass
class Allowance:
    """What all archives of one upload have used together of its bounds, in one pass over them."""

    bounds: Bounds = field(default_factory=Bounds)
    entries: int = 0
    unpacked: int = 0


class Meter:
    """Counts what comes out of one archive in one pass, and refuses what goes beyond the bounds.

    watch: called with the entry's name for each piece of it; it may raise to end the unpacking.
    """

    def __init__(
        self,
        archive: str,
        packed: int,
        allowance: Allowance,
        watch: Callable[[str], None] = lambda entry: None,
    ) -> None:
        self.archive = archive or "the archive"
        self.bounds = allowance.bounds
        self._packed = packed
        self._unpacked = 0
        self._allowance = allowance
        self._watch = watch

    def refusal(self, entry: str, message: str) -> BadInput:
        """Return the refusal of the archive because of an entry (empty: because of itself)."""
        return BadInput([Problem(self.archive, entry, message)])

    def count_entries(self, number: int, entry: str) -> None:
        """Count entries of any kind. Raises BadInput."""
        self._watch(entry)
        self._allowance.entries += number
        limit = self.bounds.entries
        if self._allowance.entries > limit:
            message = f"has more than {limit:,} entries (SANDTABLE_ARCHIVE_ENTRY_LIMIT)"
            raise self.refusal(entry, message)

    def count_bytes(self, number: int, entry: str) -> None:
        """Count bytes that came out. Raises BadInput."""
        self._watch(entry)
        self._unpacked += number
        self._allowance.unpacked += number
        bounds = self.bounds
        if self._allowance.unpacked > bounds.unpacked_bytes:
            message = f"more than {bounds.unpacked_bytes:,} bytes unpacked (SANDTABLE_UNPACKED_LIMIT_MB)"
            raise self.refusal(entry, message)
        if self._unpacked > max(RATIO_FREE_BYTES, bounds.ratio * self._packed):
            message = (
                f"unpacks to more than {bounds.ratio:,} times the archive's size"
                " (SANDTABLE_ARCHIVE_RATIO_LIMIT)"
            )
            raise self.refusal(entry, message)
