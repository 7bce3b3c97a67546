"""Pictures of clusters: the files of an upload become the list of objects that a snapshot stores.

In come files as they were sent, archives among them, whose files count as if they had been sent one by one
in name order; out come the objects without repeats and without what is private, checked. Everything that
is wrong is a BadInput that names the file wherever several were read.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings

from dashboard.errors import sentence_of
from dashboard.services.archives import Allowance, Archive, Bounds, Meter, open_archive
from dashboard.services.findings import Finding, of_faults
from scheduler_core.objects.api_faults import api_faults
from scheduler_core.objects.checks import object_name
from scheduler_core.objects.privacy import is_private, withhold_private
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.reading import (
    Limits,
    NothingInIt,
    check_objects,
    drop_repeats,
    read_json,
    read_yaml,
)
from scheduler_core.objects.repeated_keys import RepeatedKey
from scheduler_core.volcano.kind_faults import kind_faults

REPORT_SECONDS = 0.25
"""How often progress is reported at most: an archive may have thousands of small files."""
LONG_BYTES = 1024 * 1024
"""From this size on reading a file takes long enough to say so beforehand."""
BODY = "the body"
"""What a refusal names in place of a file that was sent without a name."""
LISTED_NAMES = 5
LISTED_KEYS = 20

Payload = tuple[str, bytes]
Object = dict[str, Any]
Report = Callable[[str, int, int], None]
"""Called with a stage and how much of it is done; may raise Cancelled."""


@dataclass(frozen=True)
class Picture:
    """What was read of a cluster: objects as they will be stored, and what was left out.

    dropped: phrases about what is private. left_out: sentences about files
    of archives that were not read, and about values that were lost to others of the same key.
    faults: what an API server would refuse of the objects as they were sent.
    """

    objects: list[Object]
    dropped: list[str]
    left_out: list[str] = field(default_factory=list)
    faults: list[Finding] = field(default_factory=list)


@dataclass(frozen=True)
class SourceFile:
    """The objects of one file; `name` is its path within the archive's name, or the upload's own name."""

    name: str
    objects: list[Object]


def is_json(data: bytes) -> bool:
    """Tell whether a text is meant as JSON: it begins with a brace or a bracket."""
    return data.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")[:1] in (b"{", b"[")


def _read_text(data: bytes, repeated: list[RepeatedKey]) -> list[Object]:
    """Return the objects of a text in JSON or YAML; what seems to be JSON and is neither, is no JSON.

    YAML may begin like JSON, in flow style. Source: k8s.io/apimachinery v0.36 util/yaml YAMLOrJSONDecoder.
    repeated: takes the keys that stand twice.
    """
    if not is_json(data):
        return read_yaml(data, repeated)
    try:
        return read_json(data, repeated)
    except BadInput as error:
        try:
            return read_yaml(data, repeated)
        except BadInput:
            raise error from None


def _no_report(stage: str, done: int, total: int) -> None:
    """Nobody is watching."""


def read_picture(payloads: list[Payload], report: Report = _no_report) -> Picture:
    """Read, join, strip and check the objects of all files, in order; raises BadInput."""
    upload = _Upload(payloads, report)
    archives = upload.look_through()
    files = upload.read(archives)
    report("checking", upload.total, upload.total)
    objects, _ = drop_repeats([document for file in files for document in file.objects])
    if not objects:
        place, they = ("the files", "them") if len(payloads) > 1 else (payloads[0][0] or BODY, "it")
        raise BadInput([Problem(place, "", f"there are no Kubernetes objects in {they}")])
    kept, private = withhold_private(objects)
    problems = check_objects(kept, Limits(nodes=settings.NODE_LIMIT, pods=settings.POD_LIMIT))
    problems = problems or kind_faults(kept)
    if problems and (len(files) > 1 or any(archives)):
        problems = _with_files(problems, files, objects)
    if problems:
        raise BadInput(problems)
    left_out = [*_left_out(payloads, archives), *upload.empty_files(), *upload.repeated_keys()]
    # Misspelt fields are gone from what is kept.
    readable = (document for document in objects if not is_private(document))
    faults = of_faults(fault for document in readable for fault in api_faults(document))
    return Picture(kept, private, left_out, faults)


class _Upload:
    """The files of one upload while they are read: its bounds, and its progress."""

    def __init__(self, payloads: list[Payload], report: Report) -> None:
        self.total = len(payloads)
        self._payloads = payloads
        self._report = report
        self._reported_at = 0.0
        self._done = 0
        self._unreadable: list[Problem] = []
        self._empty: dict[str, list[str]] = {}
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
        self._refuse_unreadable()
        self.total = sum(archive.file_count if archive else 1 for archive in archives)
        return archives

    def read(self, archives: list[Archive | None]) -> list[SourceFile]:
        """Return the files in order, those of an archive in name order. BadInput names all unreadable."""
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
                elif archive.file_count:
                    read = [self._parse(name, entry, content) for entry, content in archive.read(meter)]
                    files.extend(sorted(read, key=lambda file: file.name))
                else:
                    others = f" ({_listed(archive.left_out)})" if archive.left_out else ""
                    raise meter.refusal("", f"there is no JSON or YAML file in it{others}")
        self._refuse_unreadable()
        return files

    def empty_files(self) -> list[str]:
        """Return a sentence for each archive with files in which there was nothing."""
        return [_left_out_of(name, entries, "empty ") for name, entries in self._empty.items()]

    def repeated_keys(self) -> list[str]:
        """Return a sentence for each key that stands twice, of the first few."""
        # With an unbroken space no name can look like the kubectl line at the end of other warnings.
        sentences = [
            f"{sentence_of(problem)}.".replace(": kubectl ", ":\u00a0kubectl ")
            for problem in self._repeated[:LISTED_KEYS]
        ]
        more = len(self._repeated) - len(sentences)
        return [*sentences, f"At least {more} more keys stand twice."] if more else sentences

    @contextmanager
    def _collecting(self, allowance: Allowance) -> Iterator[None]:
        """Keep what is wrong with a payload until all were looked at, or the upload's bounds are exceeded."""
        try:
            yield
        except BadInput as error:
            self._unreadable += error.problems
            if allowance.entries > self._bounds.entries or allowance.unpacked > self._bounds.unpacked_bytes:
                self._refuse_unreadable()

    def _refuse_unreadable(self) -> None:
        """Raise BadInput if anything is wrong; what has no name was sent without one."""
        if self._unreadable:
            raise BadInput(
                [problem if problem.object else _within(BODY, problem) for problem in self._unreadable]
            )

    def _parse(self, upload: str, entry: str, data: bytes) -> SourceFile:
        stage = _stage(upload, entry)
        if len(data) > LONG_BYTES:
            self._tell(stage)
        else:
            self._pass(stage)
        name = _path(upload, entry)
        repeated: list[RepeatedKey] = []
        try:
            objects = _read_text(data, repeated)
        except BadInput as error:
            objects = []
            if entry and isinstance(error, NothingInIt):
                self._empty.setdefault(upload, []).append(entry)
            else:
                self._unreadable += [_within(name, problem) for problem in error.problems]
        told = [key.problem("; the last one counts") for key in repeated if not _is_private(key)]
        self._repeated += [_within(name, problem) for problem in told]
        self._done += 1
        return SourceFile(name, objects)

    def _pass(self, stage: str) -> None:
        """Report a stage, unless something was reported just now."""
        if time.monotonic() - self._reported_at >= REPORT_SECONDS:
            self._tell(stage)

    def _tell(self, stage: str) -> None:
        self._report(stage, self._done, self.total)
        self._reported_at = time.monotonic()


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


def _within(file: str, problem: Problem) -> Problem:
    place = ": ".join(part for part in (file, problem.object) if part)
    return Problem(place, problem.field, problem.message)


def _with_files(problems: list[Problem], files: list[SourceFile], objects: list[Object]) -> list[Problem]:
    """Return the problems of checked objects with the files that hold them.

    objects: those of the files before privacy, of which some are not among the checked ones.
    """
    origins = {
        id(document): (file.name, position)
        for file in files
        for position, document in enumerate(file.objects)
    }
    checked = [document for document in objects if not is_private(document)]
    places: dict[str, dict[str, str]] = {}
    for index, document in enumerate(checked):
        name, position = origins[id(document)]
        places.setdefault(object_name(document), {})[name] = object_name(document)
        places[f"items[{index}]"] = {name: f"items[{position}]"}
    return [_placed(problem, places) for problem in problems]


def _placed(problem: Problem, places: dict[str, dict[str, str]]) -> Problem:
    """Return the problem with its files; several where each holds an object of that name."""
    if problem.object in places:
        found, rest = places[problem.object], ""
    else:  # a nameless object: its position, and its kind in brackets
        position, space, kind = problem.object.partition(" ")
        found, rest = places.get(position, {}), space + kind
    if not found:
        return problem
    return _within(
        " and ".join(found), Problem(next(iter(found.values())) + rest, problem.field, problem.message)
    )


def _left_out(payloads: list[Payload], archives: Iterable[Archive | None]) -> list[str]:
    """Return a sentence for each archive of which files were not read."""
    return [
        _left_out_of(name, archive.left_out)
        for (name, _data), archive in zip(payloads, archives, strict=True)
        if archive is not None and archive.left_out
    ]


def _left_out_of(name: str, entries: list[str], quality: str = "") -> str:
    number = len(entries)
    files = f"1 {quality}file was" if number == 1 else f"{number:,} {quality}files were"
    return f"{files} left out of {_unbroken(name or 'the archive')}: {_listed(entries)}."


def _listed(names: list[str]) -> str:
    listed = [_unbroken(name) for name in sorted(names)[:LISTED_NAMES]]
    more = len(names) - len(listed)
    return ", ".join(listed) + (f" and {more:,} more" if more else "")


def _unbroken(name: str) -> str:
    # Without plain spaces no name can look like the kubectl line at the end of other warnings.
    return name.replace(" ", "\u00a0")
