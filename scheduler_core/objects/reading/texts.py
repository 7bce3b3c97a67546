"""Texts of objects in any form in which kubectl prints them and shells keep them.

One JSON document or several in a row (`kubectl get … >> all.json`, JSON lines), YAML, what `kubectl
cluster-info dump` prints to one stream, with the logs of containers in between, and all of this in UTF-16,
as PowerShell's `>` writes it. `reading` and `json_text` do the reading.

Source: kubectl v0.36 pkg/cmd/clusterinfo/clusterinfo_dump.go.
"""

import codecs
import re
from collections import Counter
from collections.abc import Callable
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.reading.foreign_forms import (
    ForeignForm,
    refuse_foreign_beginning,
    refuse_template,
)
from scheduler_core.objects.reading.json_list import Progress, TakeUnread, Written, take_items
from scheduler_core.objects.reading.json_text import NoNumber, NotJson, decode_once, split_documents
from scheduler_core.objects.reading.kindless import is_read, type_of_object
from scheduler_core.objects.reading.kubectl_lines import without_kubectl_lines
from scheduler_core.objects.reading.object_lists import (
    NoObjects,
    NothingInIt,
    flatten,
    is_plain_object,
    read_json,
    read_yaml,
)
from scheduler_core.objects.reading.repeated_keys import RepeatedKey, RepeatedKeys

T = TypeVar("T")
Object = dict[str, Any]
Source = Written | Object
"""An object as it was sent: its part of a text, or as it was read."""

_UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_START_BYTES = 4096
_LOG = b"==== START logs for container "
_LOG_START = re.compile(rb"^==== START logs for container (\S+ of pod \S+) ====\r?$", re.MULTILINE)


class Text(NamedTuple, Generic[T]):
    """What a text holds, and what was left out of it.

    logs: how many logs of containers. lines: what kubectl said beside the objects. told: how many objects
    that don't say what they are were told it, by kind. unread: how many of these nothing reads.
    """

    objects: list[T]
    logs: int
    lines: list[str]
    told: Counter[str]
    unread: Counter[str]


def is_json(data: bytes) -> bool:
    """Tell whether a text is meant as JSON: it begins with a brace or a bracket."""
    if data[:2] in _UTF_16:
        data = data[:_START_BYTES].decode("utf-16", "ignore").encode("utf-8", "ignore")
    return data.removeprefix(codecs.BOM_UTF8).lstrip(b" \t\r\n")[:1] in (b"{", b"[")


def read_text(data: bytes, repeated: list[RepeatedKey] | None) -> Text[Object]:
    """Return the objects of a text. Raises BadInput, ForeignForm for a form that is known to hold none.

    repeated: takes the keys that stand twice, of which the last counts; without it they are refused.
    """
    return take_text(data, repeated, lambda document, _: document)


def take_text(
    data: bytes,
    repeated: list[RepeatedKey] | None,
    take: Callable[[Object, Source], T],
    progress: Progress = lambda done, total: None,
    take_unread: TakeUnread[T] = lambda text, item: None,
    name: str | None = None,
) -> Text[T]:
    """Do as `read_text`, and return what `take` makes of each object and its source instead of the object.

    name: of the file, which may tell what objects are that don't say it; None if they have to.

    Of a List in JSON, and of several documents in it, there is never more than one object at a
    time beside the text. `take` may be called
    again for objects that it was given before, if something is amiss with those that come after them.
    """
    text, logs = _as_utf_8(data), 0
    part, lines = without_kubectl_lines(text)
    if lines and not bytes(part[:_START_BYTES]).strip():
        raise ForeignForm(f"what kubectl said instead of objects: {lines[0]}")
    if _LOG in text:
        text, logs = _without_logs(bytes(part))
        part = memoryview(text)
    refuse_foreign_beginning(part)
    reader = _Reader(repeated, take, progress, take_unread, name)
    if reader.take_list(part) or reader.take_documents(part):
        return reader.text(lines, logs)
    reader = _Reader(repeated, take, progress, take_unread, name)
    reader.take_read(_read_whole(text if len(part) == len(text) else bytes(part), repeated))
    return reader.text(lines, logs)


class _Reader(Generic[T]):
    """Reads one text, and counts what it was told and what it left out."""

    def __init__(
        self,
        repeated: list[RepeatedKey] | None,
        take: Callable[[Object, Source], T],
        progress: Progress,
        take_unread: TakeUnread[T],
        name: str | None,
    ) -> None:
        self._all_repeated = repeated
        self._repeated: list[RepeatedKey] | None = None if repeated is None else []
        self._take, self._take_unread = take, take_unread
        self._progress = progress
        self._name = name
        self._taken: list[T] = []
        self._told: Counter[str] = Counter()
        self._unread: Counter[str] = Counter()

    def text(self, lines: list[str], logs: int) -> Text[T]:
        """Return what was read."""
        if self._all_repeated is not None and self._repeated:
            self._all_repeated += self._repeated
        return Text(self._taken, logs, lines, self._told, self._unread)

    def take_list(self, part: memoryview) -> bool:
        """Take the items of a List in JSON one by one; False if the text is none, or anything is amiss."""
        taken = take_items(
            part, self._repeated, self._take, self._progress, self._take_unread,
            name=self._name, told=self._told,
        )  # fmt: skip
        self._taken += taken or ()
        return taken is not None

    def take_documents(self, part: memoryview) -> bool:
        """Take several documents in JSON one by one; False if there are none, or anything is amiss."""
        if not is_json(bytes(part[:_START_BYTES])):
            return False
        for document in split_documents(part):
            if len(document) == len(part):
                return False
            try:
                if not self.take_list(document):
                    self._take_document(document)
            except BadInput:
                return False
        return True

    def _take_document(self, part: memoryview) -> None:
        """Take what stands in one document. Raises BadInput."""
        text = bytes(part)
        own = text.strip()
        start = len(text) - len(text.lstrip())
        source = msgspec.Raw(part[start : start + len(own)])
        unread = self._take_unread(own, source)
        if unread is not None:
            self._taken.append(unread)
            return
        document, repeated = decode_once(own)
        if not repeated and is_plain_object(document) and document.get("kind"):
            self._taken.append(self._take(document, source))
        else:
            self.take_read(read_json(own, self._repeated))

    def take_read(self, objects: list[Object]) -> None:
        """Take objects that were read."""
        if self._name is not None:
            objects = _with_types(objects, self._name, self._told, self._unread)
        self._taken += [self._take(document, document) for document in objects]


def _with_types(objects: list[Object], name: str, told: Counter[str], unread: Counter[str]) -> list[Object]:
    """Return the objects, those that don't say what they are as what is told otherwise, if it is read."""
    typed = []
    for document in objects:
        meant = None if document.get("kind") else type_of_object(document, name)
        if meant is None:
            typed.append(document)
        elif is_read(meant):
            told[meant.kind] += 1
            typed.append({**document, **meant._asdict()})
        else:
            unread[meant.kind] += 1
    return typed


def _read_whole(data: bytes, repeated: list[RepeatedKey] | None) -> list[Object]:
    try:
        return _read_json_or_yaml(data, repeated)
    except (ForeignForm, NoObjects, NothingInIt):
        raise
    except BadInput:
        refuse_template(data)
        raise


def read_manifest(manifest: Object | str) -> list[Object]:
    """Return the objects of an edit's manifest: a text, or an object. Raises BadInput."""
    if not isinstance(manifest, str):
        return flatten(manifest)
    try:
        return read_text(manifest.encode(), None).objects
    except UnicodeEncodeError:
        raise BadInput([Problem("", "", "is no readable text")]) from None


def _read_json_or_yaml(data: bytes, repeated: list[RepeatedKey] | None) -> list[Object]:
    """Return the objects of a text in JSON or YAML; what seems to be JSON and is neither, is no JSON.

    YAML may begin like JSON, in flow style. Source: k8s.io/apimachinery v0.36 util/yaml YAMLOrJSONDecoder.
    """
    if not is_json(data):
        return read_yaml(data, repeated)
    try:
        return _read_json_documents(data, repeated)
    except NoNumber:
        raise
    except BadInput as error:
        try:
            return read_yaml(data, repeated)
        except RepeatedKeys:
            raise
        except BadInput:
            raise error from None


def _read_json_documents(data: bytes, repeated: list[RepeatedKey] | None) -> list[Object]:
    try:
        return read_json(data, repeated)
    except NotJson:
        documents = split_documents(data)
        first = next(documents)
        if len(first) == len(data):
            raise
    objects: list[Object] = []
    for number, document in enumerate(chain([first], documents), start=1):
        try:
            objects += read_json(bytes(document), repeated)
        except BadInput as error:
            raise BadInput([_within(f"document {number}", problem) for problem in error.problems]) from None
    return objects


def _within(place: str, problem: Problem) -> Problem:
    return Problem(f"{place} {problem.object}".strip(), problem.field, problem.message)


def _as_utf_8(data: bytes) -> bytes:
    encoding = _UTF_16.get(data[:2])
    if encoding is None:
        return data
    try:
        return data[2:].decode(encoding).encode()
    except UnicodeError:
        raise BadInput([Problem("", "", "begins as UTF-16, and is not readable as such")]) from None


def _without_logs(data: bytes) -> tuple[bytes, int]:
    """Return the text without the logs of containers, and how many there were. Raises BadInput."""
    if _LOG not in data:
        return data, 0
    pieces, position = [], 0
    while (start := _LOG_START.search(data, position)) is not None:
        mark = b"==== END logs for container " + start[1] + b" ===="
        end = data.find(mark, start.end())
        if end < 0:
            container = start[1].decode("utf-8", "replace")[:300]
            message = f"the logs of container {container} begin and do not end: the dump was cut off"
            raise BadInput([Problem("", "", message)])
        pieces.append(data[position : start.start()])
        position = end + len(mark)
    return b"".join([*pieces, data[position:]]), len(pieces)
