"""What the name of an entry says: whether it may be in an archive at all, and whether it is read.

Names are never used as paths on this machine; a path that points elsewhere is refused all the same, since
an archive that has one was not made for us.
"""

import re
from dataclasses import dataclass

from dashboard.services.imports.archives.bounds import Meter

CLUSTER_SUFFIXES = (".json", ".jsonl", ".ndjson", ".yaml", ".yml")
PACKED_SUFFIXES = (
    ".zip", ".tar", ".tgz", ".gz", ".bz2", ".tbz", ".xz", ".txz", ".zst", ".lz4", ".7z", ".rar", ".jar",
)  # fmt: skip
SHOWN_LENGTH = 160
_DRIVE = re.compile(r"[A-Za-z]:")


@dataclass(frozen=True)
class EntryName:
    """An entry's path without `.` and doubled slashes; `shown` is fit for screens and databases."""

    parts: tuple[str, ...]
    shown: str
    is_link: bool = False

    @property
    def is_read(self) -> bool:
        """Whether this is JSON or YAML, and not what a system hides (.DS_Store, __MACOSX/._pods.json)."""
        is_wanted = self.parts[-1].lower().endswith(CLUSTER_SUFFIXES)
        return is_wanted and not self._is_hidden and not self.is_link

    @property
    def is_packed(self) -> bool:
        """Whether this calls itself an archive or a packed file."""
        return not self._is_hidden and not self.is_link and self.parts[-1].lower().endswith(PACKED_SUFFIXES)

    @property
    def _is_hidden(self) -> bool:
        return any(part.startswith(".") or part == "__MACOSX" for part in self.parts)


class Names:
    """The names of one archive, checked one by one: no path that leads out, none too deep, none twice."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._seen: set[tuple[str, ...]] = set()

    def check_folder(self, raw: str) -> None:
        """Check the name of a folder. Raises BadInput."""
        parts = self._parts(raw)
        self._check_depth(parts, raw)

    def check_link(self, raw: str) -> EntryName:
        """Return the name of a symbolic link, which is never followed. Raises BadInput."""
        name = self._check_entry(raw)
        return EntryName(name.parts, f"{name.shown} (a symbolic link)", is_link=True)

    def check_file(self, raw: str) -> EntryName:
        """Return the name of a file. Raises BadInput."""
        return self._check_entry(raw)

    def _check_entry(self, raw: str) -> EntryName:
        parts = self._parts(raw)
        if not parts:
            raise self._meter.refusal(shown(raw), "is a file without a name")
        self._check_depth(parts[:-1], raw)
        if parts in self._seen:
            raise self._meter.refusal(shown(raw), "is in the archive twice: which of them counts?")
        self._seen.add(parts)
        return EntryName(parts, shown("/".join(parts)))

    def _parts(self, raw: str) -> tuple[str, ...]:
        path = raw.replace("\\", "/")
        if path.startswith("/") or _DRIVE.match(path):
            raise self._meter.refusal(shown(raw), "is an absolute path")
        parts = tuple(part for part in path.split("/") if part not in ("", "."))
        if ".." in parts:
            raise self._meter.refusal(shown(raw), "leads out of the archive with ..")
        return parts

    def _check_depth(self, folders: tuple[str, ...], raw: str) -> None:
        limit = self._meter.bounds.folders
        if len(folders) > limit:
            message = f"lies {len(folders):,} folders deep; at most {limit:,} are read"
            raise self._meter.refusal(shown(raw), f"{message} (SANDTABLE_ARCHIVE_DEPTH_LIMIT)")


def shown(raw: str) -> str:
    """Return a name for screens: no control characters, no lone surrogates, not endless."""
    text = raw if len(raw) <= SHOWN_LENGTH else f"{raw[: SHOWN_LENGTH // 2]}…{raw[-SHOWN_LENGTH // 2 :]}"
    return "".join(character if character.isprintable() else "\ufffd" for character in text)
