"""The files of an upload, read one by one: what is in them, what is left out, what cannot be read.

Archives are looked through before anything in them is read. A file of an archive that is known to hold no
objects is left out and named, since who packs a folder packs all that lies in it; a plain file was sent on
purpose, and is refused.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from dashboard.errors import sentence_of
from dashboard.first_few import first_few
from dashboard.services.imports.archives import Allowance, Archive, Bounds, Meter, open_archive
from dashboard.services.imports.paced_reports import PacedReports, Report
from dashboard.services.imports.sent_objects import Sent, Taking
from dashboard.services.imports.warning_texts import unbroken, without_command
from scheduler_core.objects.privacy import withhold_private
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.reading.foreign_forms import ForeignForm, without_advice
from scheduler_core.objects.reading.kindless import type_by_name
from scheduler_core.objects.reading.object_lists import NoObjects, NotAllObjects, NothingInIt
from scheduler_core.objects.reading.repeated_keys import RepeatedKey
from scheduler_core.objects.reading.texts import Text, take_text

LONG_BYTES = 1024 * 1024
"""From this size on reading a file takes long enough to say so beforehand."""
BODY = "the body"
"""What a refusal names in place of a file that was sent without a name."""
LISTED_NAMES = 5
LISTED_KEYS = 20

_NODE_OR_POD = re.compile(rb"""\bkind["']?\s*:\s*["']?(?:Node|Pod)(?:List)?\b""")

Payload = tuple[str, bytes]


@dataclass(frozen=True)
class SourceFile:
    """The objects of one file; `name` is its path within the archive's name, or the upload's own name.

    positions: where each object stands among the items of its file; None if no item was left out.
    """

    name: str
    objects: list[Sent]
    positions: list[int] | None = None

    def placed(self) -> Iterable[tuple[int, Sent]]:
        """Return the objects with their positions among the items of the file."""
        positions = range(len(self.objects)) if self.positions is None else self.positions
        return zip(positions, self.objects, strict=True)


class UploadFiles:
    """The files of one upload while they are read: its bounds, and its progress.

    unreadable: what is wrong with files or documents that could be done without; `unreadable_number` counts
    these. lost_nodes_or_pods: whether nodes or pods were in files among them.
    """

    def __init__(self, payloads: list[Payload], report: Report) -> None:
        self.total = len(payloads)
        self.taking = Taking()
        self.unreadable: list[Problem] = []
        self.unreadable_number = 0
        self._payloads = payloads
        self._reports = PacedReports(report)
        self._done = 0
        self._is_refused = False
        self._empty: dict[str, list[str]] = {}
        self._foreign: dict[str, list[str]] = {}
        self._logs: dict[str, int] = {}
        self._lines: dict[str, list[str]] = {}
        self._told: list[str] = []
        self._told_kinds: Counter[str] = Counter()
        self._unread: list[str] = []
        self._unread_kinds: Counter[str] = Counter()
        self._kindless: list[str] = []
        self.lost_nodes_or_pods = False
        self._repeated: list[Problem] = []
        self._bounds = Bounds(
            entries=settings.ARCHIVE_ENTRY_LIMIT,
            unpacked_bytes=settings.UNPACKED_LIMIT_BYTES,
            ratio=settings.ARCHIVE_RATIO_LIMIT,
            folders=settings.ARCHIVE_DEPTH_LIMIT,
        )

    def look_through(self) -> list[Archive | None]:
        """Return each payload's archive, or None for a plain file. BadInput names all that are refused."""
        allowance = Allowance(self._bounds)
        archives = []
        for name, data in self._payloads:
            stage = f"looking through {name or 'the upload'}"

            def watch(_: str, stage: str = stage) -> None:
                self._pass(stage)

            with self._collecting(allowance):
                archives.append(open_archive(name, data, allowance, watch))
        self._raise_if_refused()
        self.total = sum(archive.file_count if archive else 1 for archive in archives)
        return archives

    def read(self, archives: list[Archive | None]) -> list[SourceFile]:
        """Return the files in order, those of an archive in name order.

        Raises BadInput for archives that are refused; what is wrong with single files is in `unreadable`.
        """
        allowance = Allowance(self._bounds)
        files: list[SourceFile] = []
        for (name, data), archive in zip(self._payloads, archives, strict=True):

            def watch(entry: str, upload: str = name) -> None:
                self._pass(_stage(upload, entry))

            meter = Meter(name, len(data), allowance, watch)
            with self._collecting(allowance):
                if archive is None:
                    meter.count_bytes(len(data), "")
                    files.append(self._parse(name, "", data))
                else:
                    read = [self._parse(name, entry, content) for entry, content in archive.read(meter)]
                    files.extend(sorted(read, key=lambda file: file.name))
                    if not read:
                        raise meter.refusal("", _without_files(archive))
        self._raise_if_refused()
        return files

    def left_out(self, archives: Iterable[Archive | None]) -> list[str]:
        """Return sentences about all that was not read, and about keys that stand twice."""
        pairs = zip(self._payloads, archives, strict=True)
        found = [(name, archive) for (name, _), archive in pairs if archive]
        return [
            *(_left_out_of(name, archive.left_out) for name, archive in found if archive.left_out),
            *(_packed_in(name, archive.packed) for name, archive in found if archive.packed),
            *(_no_objects_in(name, entries) for name, entries in self._foreign.items()),
            *(_left_out_of(name, entries, "empty ") for name, entries in self._empty.items()),
            *(_logs_in(name, number) for name, number in self._logs.items()),
            *(_said_in(name, lines) for name, lines in self._lines.items()),
            *_without_kind(self._unread_kinds, self._unread, self._kindless),
            *self._repeated_keys(),
        ]

    def notes(self) -> list[str]:
        """Return sentences about what was made of objects."""
        if not self._told:
            return []
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(self._told_kinds.items()))
        files = listed_names([name or BODY for name in self._told])
        return [f"Taken for what list, fields or file tell, since no kind is said: {kinds} ({files})."]

    def files_without_objects(self) -> str:
        """Return the names of files of archives that hold none, in brackets, or nothing."""
        names = [name for entries in self._foreign.values() for name in entries]
        return f" ({listed_names(names)})" if names else ""

    def _repeated_keys(self) -> list[str]:
        """Return a sentence for each key that stands twice, of the first few."""
        listed = self._repeated[:LISTED_KEYS]
        sentences = [without_command(f"{sentence_of(problem)}.") for problem in listed]
        more = len(self._repeated) - len(sentences)
        return [*sentences, f"At least {more} more keys stand twice."] if more else sentences

    @contextmanager
    def _collecting(self, allowance: Allowance) -> Iterator[None]:
        """Keep what is wrong with a payload until all were looked at, or the upload's bounds are exceeded."""
        try:
            yield
        except BadInput as error:
            self._is_refused = True
            self._note_unreadable(error.problems)
            if allowance.entries > self._bounds.entries or allowance.unpacked > self._bounds.unpacked_bytes:
                self._raise_if_refused()

    def _raise_if_refused(self) -> None:
        if self._is_refused:
            raise BadInput(self.unreadable)

    def _note_unreadable(self, problems: Iterable[Problem]) -> None:
        """Note what is wrong with a file or a document; what has no name was sent without one."""
        self.unreadable_number += 1
        self.unreadable += [problem if problem.object else within(BODY, problem) for problem in problems]

    def _parse(self, upload: str, entry: str, data: bytes) -> SourceFile:
        stage = _stage(upload, entry)
        if len(data) > LONG_BYTES:
            self._reports.tell(stage, self._done, self.total)
        else:
            self._pass(stage)
        name = _path(upload, entry)
        repeated: list[RepeatedKey] = []
        objects: list[Sent] = []
        positions: list[int] | None = None

        def watch(done: int, total: int) -> None:
            if len(data) > LONG_BYTES:
                self._reports.pass_by(stage, done, total)

        try:
            found = take_text(data, repeated, self.taking.take, watch, self.taking.take_twin, name)
            objects = found.objects
            self._note(name, found)
        except NotAllObjects as error:
            for problem in error.problems:
                self._note_unreadable([within(name, problem)])
            positions = [position for position, document in enumerate(error.objects) if document]
            taken = (error.objects[position] for position in positions)
            objects = [self.taking.take(document, document) for document in taken]
        except BadInput as error:
            self._note_without_objects(upload, entry, data, error)
        told = [key.problem("; the last one counts") for key in repeated if not _is_private(key)]
        self._repeated += [within(name, problem) for problem in told]
        self._done += 1
        return self._without_foreign(upload, entry, SourceFile(name, objects, positions))

    def _note(self, name: str, text: Text[Sent]) -> None:
        """Note what is to be said of a file that was read."""
        if text.logs:
            self._logs[name] = text.logs
        if text.lines:
            self._lines[name] = text.lines
        if text.told:
            self._told.append(name)
            self._told_kinds += text.told
        if text.unread:
            self._unread.append(name)
            self._unread_kinds += text.unread

    def _note_without_objects(self, upload: str, entry: str, data: bytes, error: BadInput) -> None:
        """Leave a file of an archive out that is known to hold no objects; any other is unreadable."""
        if entry and isinstance(error, NothingInIt):
            self._empty.setdefault(upload, []).append(entry)
        elif entry and isinstance(error, ForeignForm | NoObjects):
            form = f" ({without_advice(error.form)})" if isinstance(error, ForeignForm) else ""
            self._foreign.setdefault(upload, []).append(f"{entry}{form}")
        else:
            name = _path(upload, entry)
            self._note_unreadable(within(name, problem) for problem in error.problems)
            self.lost_nodes_or_pods |= _meant_nodes_or_pods(name, data)

    def _without_foreign(self, upload: str, entry: str, file: SourceFile) -> SourceFile:
        """Return the file with those documents that are objects; of an archive, a file may have none."""
        objects = file.objects
        at_home = [sent for sent in objects if sent.is_at_home]
        if entry and at_home and not any(sent.identity[0].name for sent in objects):
            self._kindless.append(file.name)
            return SourceFile(file.name, [])
        if entry and objects and not at_home:
            form = without_advice(next((sent.foreign for sent in objects if sent.foreign), ""))
            self._foreign.setdefault(upload, []).append(f"{entry} ({form})" if form else entry)
            return SourceFile(file.name, [])
        if not any(sent.foreign for sent in objects):
            return file
        placed = list(file.placed())
        for position, sent in placed:
            if sent.foreign:
                place = f"items[{position}]" if len(objects) > 1 else ""
                self._note_unreadable([within(file.name, Problem(place, "", f"this is {sent.foreign}"))])
        kept = [(position, sent) for position, sent in placed if not sent.foreign]
        return SourceFile(file.name, [sent for _, sent in kept], [position for position, _ in kept])

    def _pass(self, stage: str) -> None:
        self._reports.pass_by(stage, self._done, self.total)


def within(file: str, problem: Problem) -> Problem:
    """Return the problem with the file that it is in before its object."""
    place = ": ".join(part for part in (file, problem.object) if part)
    return Problem(place, problem.field, problem.message)


def listed_names(names: list[str]) -> str:
    """Return the first names in their order, and how many more there are."""
    return first_few([unbroken(name) for name in sorted(names)], LISTED_NAMES)


def _is_private(key: RepeatedKey) -> bool:
    """Tell whether the key is in a part of its object that is not stored, or in none that is known."""
    kept, _ = withhold_private([key.document]) if isinstance(key.document, dict) else ([], [])
    value: Any = kept[0] if kept else None
    try:
        for step in key.path:
            value = value[step]
    except (KeyError, IndexError, TypeError):
        return True
    return False


def _path(upload: str, entry: str) -> str:
    return "/".join(part for part in (upload, entry) if part)


def _stage(upload: str, entry: str) -> str:
    return f"reading {_path(upload, entry) or 'the text'}"


def _left_out_of(name: str, entries: list[str], quality: str = "") -> str:
    files = _number(len(entries), f"{quality}file was", f"{quality}files were")
    return f"{files} left out of {unbroken(name or 'the archive')}: {listed_names(entries)}."


def _packed_in(name: str, entries: list[str]) -> str:
    files = _number(len(entries), "packed file was", "packed files were")
    return (
        f"{files} left out of {unbroken(name or 'the archive')}, unpack objects of the cluster before:"
        f" {listed_names(entries)}."
    )


def _without_files(archive: Archive) -> str:
    """Say of an archive that nothing in it is read, and what is in it."""
    entries = [*archive.left_out, *archive.packed]
    if not entries:
        return "the archive is empty"
    return f"there is no JSON or YAML file in it ({listed_names(entries)})"


def _no_objects_in(name: str, entries: list[str]) -> str:
    files = _number(len(entries), "file holds", "files hold")
    return (
        f"{files} no Kubernetes objects, and so left out of {unbroken(name or 'the archive')}:"
        f" {listed_names(entries)}."
    )


def _said_in(name: str, lines: list[str]) -> str:
    said = without_command("; ".join(lines[:LISTED_NAMES]))
    more = len(lines) - LISTED_NAMES
    return (
        f"What kubectl said beside the objects was left out of {unbroken(name or BODY)}: {said}"
        f"{f'; and {more:,} more lines' if more > 0 else ''}."
    )


def _without_kind(kinds: Counter[str], unread: list[str], kindless: list[str]) -> list[str]:
    """Say which objects were left out that don't say what they are."""
    sentences = []
    if unread:
        number = _number(kinds.total(), "object that says no kind was", "objects that say no kind were")
        told = ", ".join(sorted(kinds))
        names = listed_names([name or BODY for name in unread])
        sentences.append(f"{number} left out, since nothing reads them ({told}): {names}.")
    if kindless:
        number = _number(len(kindless), "file was", "files were")
        sentences.append(
            f"{number} left out, since nothing tells of which kind the objects are: {listed_names(kindless)}."
        )
    return sentences


def _meant_nodes_or_pods(name: str, data: bytes) -> bool:
    """Tell whether a file that cannot be read was meant to hold nodes or pods."""
    meant = type_by_name(name)
    return (meant is not None and meant.kind in ("Node", "Pod")) or bool(_NODE_OR_POD.search(data))


def _logs_in(name: str, number: int) -> str:
    logs = _number(number, "container were", "containers were")
    return f"The logs of {logs} left out of {unbroken(name or BODY)}."


def _number(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
