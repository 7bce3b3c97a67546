"""Twins: pods whose texts differ only in what a cluster makes anew for each pod of a workload.

Names, uids, addresses, times: as long as they are well formed, nothing that is found out about one pod
depends on them. So a text that is that of a known pod but for these is neither read nor judged again: its
constant segments are compared, what stands between them is checked, and what is stored is that of the known
pod with its own values.
"""

import re
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from sys import intern
from typing import Any, NamedTuple

import msgspec

from scheduler_core.objects.checks.field_rules import is_subdomain
from scheduler_core.objects.privacy import Dropped, keep_public
from scheduler_core.objects.privacy.dropped import Counts
from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.reading.json_text import decode_once
from scheduler_core.objects.timestamps import is_timestamp

Object = dict[str, Any]

PATTERNS_OF_A_KEY = 8
"""More kinds of pods of one workload are hardly met: running, waiting, ended, restarted once or twice."""
PATTERNS_IN_WAIT = 200
"""How many patterns may wait for a first pod that is like them; where more do, hardly any pods are alike."""
LEARNED_BYTES = 32 * 1024 * 1024
"""How much text may be kept as patterns."""

_NAME, _UID, _NODE = ".metadata.name", ".metadata.uid", ".spec.nodeName"
_STATUS = r"\.status\.(?:init|ephemeral)?[cC]ontainerStatuses\[\]"
_TIMES = re.compile(
    r"\.metadata\.creationTimestamp|\.metadata\.managedFields\[\]\.time|\.status\.startTime"
    r"|\.status\.conditions\[\]\.last(?:Transition|Probe)Time"
    rf"|{_STATUS}\.(?:lastState|state)\.(?:running|terminated)\.(?:startedAt|finishedAt)"
)
_PLAIN = re.compile(
    r"\.metadata\.(?:name|uid|resourceVersion)|\.spec\.(?:nodeName|hostname)"
    r"|\.metadata\.labels\.(?:statefulset\.kubernetes\.io/pod-name|apps\.kubernetes\.io/pod-index)"
    r"|\.metadata\.annotations\.cni\.projectcalico\.org/(?:containerID|podIPs?)"
    r"|\.status\.(?:hostIP|podIP|hostIPs\[\]\.ip|podIPs\[\]\.ip)"
    rf"|{_STATUS}\.(?:containerID|imageID)"
    rf"|{_STATUS}\.(?:lastState|state)\.terminated\.containerID"
)
_TOKENS = re.compile(r"\.spec\.(?:volumes|(?:initC|c)ontainers\[\]\.volumeMounts)\[\]\.name")
_TOKEN_NAME = re.compile(rb"kube-api-access-[a-z0-9]{5}")
_OWN_ADDRESS = re.compile(rb'"k:\{\\"ip\\":\\"([^"\\]+)\\"\}"')
"""A key of managed fields: of the pod's addresses each has one."""
_OF_MANAGED_FIELDS = ".metadata.managedFields[].fieldsV1."
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_ADDRESS_KEY = b'"k:'
_PARTS = re.compile(
    rb"[\s,]*+(?:"  # a key with the text, the bracket or the plain value behind it; a text; a bracket
    rb"(%(string)b)(?:\s*+:\s*+(?:(%(string)b)|([{\[])|[^\s,\]}]++))?+|([{\[])|([}\]]))"
    % {b"string": _STRING},
    re.DOTALL,
)
_UNPLAIN = bytes(set(range(256)) - set(range(0x20, 0x7F)) | set(b'"\\'))
_MARK = re.compile(rb"\x7f(\d+)\x7f")
_GENERATE_NAME = b'"generateName"'


class Twin(NamedTuple):
    """A pod that is like the one of its pattern but for its own values; `text` is what is stored of it."""

    pattern: "Pattern"
    name: str
    uid: str
    node: str
    text: bytes

    def document(self) -> Object:
        """Return the pattern's pod as it is stored, under this one's name and uid and on its node.

        It shares everything else with others, and its times are not its own.
        """
        known = self.pattern.kept
        spec = known.get("spec")
        document = {**known, "metadata": {**known["metadata"], "name": self.name, "uid": self.uid}}
        if self.node and spec:
            document["spec"] = {**spec, "nodeName": self.node}
        return document


class Pattern:
    """A pod's text with gaps for its own values, and what was found out about it.

    kept: what may be stored of the pod. dropped: what may not.
    """

    def __init__(self, text: bytes, kept: Object, dropped: Counts) -> None:
        """Raise ValueError for a text that is none of a pattern's."""
        spans = list(_own_spans(text))
        paths = [path for path, _, _ in spans]
        if any(paths.count(path) != 1 for path in (_NAME, _UID)) or b"\x7f" in text:
            raise ValueError("without a name and a uid it is like no other")
        self.kept = kept
        self.dropped = dropped
        self.size = len(text)
        self.is_in_wait = True
        ends = [0, *(end for _, _, end in spans)]
        starts = [*(start for _, start, _ in spans), len(text)]
        self._first, *self._segments = [text[end:start] for end, start in zip(ends, starts, strict=True)]
        self._name, self._uid = paths.index(_NAME), paths.index(_UID)
        self._node = paths.index(_NODE) if _NODE in paths else None
        self._times = [place for place, path in enumerate(paths) if _TIMES.fullmatch(path)]
        self._tokens = [place for place, path in enumerate(paths) if _TOKENS.fullmatch(path)]
        self._keys = [place for place, path in enumerate(paths) if not path]
        self._stored, self._order = self._stored_parts()
        values = [text[start:end] for _, start, end in spans]
        if not self._are_well_formed(values) or self._fill(values) != msgspec.json.encode(kept):
            raise ValueError("its own values are more than that")

    def _stored_parts(self) -> tuple[list[bytes], list[int]]:
        """Return what is stored, in parts with gaps between them, and which own value belongs in each gap."""
        marked = self._first + b"".join(
            b"\x7f%d\x7f" % place + segment for place, segment in enumerate(self._segments)
        )
        document, repeated = decode_once(marked)
        if repeated:
            raise ValueError("with keys that stand twice it is like no other")
        parts = _MARK.split(msgspec.json.encode(keep_public(document, Dropped())))
        order = list(map(int, parts[1::2]))
        parts[1::2] = [b""] * len(order)
        return parts, order

    def match(self, text: bytes) -> Twin | None:
        """Return the pod of a text that is this one's but for well-formed values of its own, else None."""
        if not text.startswith(self._first):
            return None
        position = len(self._first)
        values = []
        for segment in self._segments:
            end = text.find(segment[:1], position)  # no own value holds what stands behind it
            if not text.startswith(segment, end):
                return None
            values.append(text[position:end])
            position = end + len(segment)
        if position != len(text) or not self._are_well_formed(values):
            return None
        node = "" if self._node is None else intern(values[self._node].decode())
        name, uid = values[self._name].decode(), values[self._uid].decode()
        return Twin(self, name, uid, node, self._fill(values))

    def _are_well_formed(self, values: list[bytes]) -> bool:
        """Tell whether nothing depends on these values: see `_TIMES`, `_PLAIN`, `_TOKENS`."""
        joined = b"".join(values)
        if not all(values) or len(joined.translate(None, _UNPLAIN)) != len(joined):
            return False
        if not all(is_timestamp(time) for time in {values[place].decode() for place in self._times}):
            return False
        if len({values[place] for place in self._keys}) != len(self._keys):
            return False
        tokens = {values[place] for place in self._tokens}
        if len(tokens) > 1 or not all(map(_TOKEN_NAME.fullmatch, tokens)):
            return False
        return self._node is None or is_subdomain(values[self._node].decode())

    def _fill(self, values: list[bytes]) -> bytes:
        parts = self._stored.copy()
        parts[1::2] = [values[place] for place in self._order]
        return b"".join(parts)


class Twins:
    """The patterns that were met, by the beginning of the name that a workload gives its pods."""

    def __init__(self) -> None:
        self._patterns: dict[bytes, list[Pattern]] = {}
        self._learned = self._in_wait = 0

    def find(self, text: bytes) -> Twin | None:
        """Return the pod of a text that is like a known one, else None."""
        known = self._patterns.get(_key(text))
        for number, pattern in enumerate(known or ()):
            twin = pattern.match(text)
            if twin is not None:
                self._in_wait -= pattern.is_in_wait
                pattern.is_in_wait = False
                if number and known:  # those of one kind come one after the other
                    known.insert(0, known.pop(number))
                return twin
        return None

    def is_worth_learning(self, text: bytes) -> bool:
        """Tell whether more pods like this one are to be expected; not of the first of a workload."""
        key = _key(text)
        if not key or self._learned > LEARNED_BYTES:
            return False
        known = self._patterns.get(key)
        if known is None:
            self._patterns[key] = []
        if known is None or self._in_wait >= PATTERNS_IN_WAIT:
            return False
        return len(known) < PATTERNS_OF_A_KEY

    def learn(self, text: bytes, kept: Object, dropped: Counts) -> None:
        """Take a pod in which nothing is amiss for a pattern of others."""
        try:
            pattern = Pattern(text, kept, dropped)
        except (ValueError, BadInput):
            return
        self._patterns.setdefault(_key(text), []).insert(0, pattern)
        self._learned += pattern.size
        self._in_wait += 1


def _key(text: bytes) -> bytes:
    """Return the key and value of `generateName`, nothing if there is none."""
    start = text.find(_GENERATE_NAME)
    return text[start : text.find(b",", start)] if start >= 0 else b""


def _own_spans(text: bytes) -> Iterator[tuple[str, int, int]]:
    """Yield path, start and end of each value that may be the pod's own, in the text's order.

    The text is that of a JSON value. A member, its key with the value or the bracket behind it, is one part.
    """
    path, around = "", list[str]()
    for part in _PARTS.finditer(text):
        string, value, opening, bare, closing = part.groups()
        if closing:
            path = around.pop()
            continue
        below = path
        if string and part.end() > part.end(1):
            below += "." + string[1:-1].decode()
            if string.startswith(_ADDRESS_KEY) and below.startswith(_OF_MANAGED_FIELDS):
                yield from _own_address(string, part.start(1))
            string = value
        if string:
            if _is_own(below, string):
                yield below, part.end() - len(string) + 1, part.end() - 1
        elif bracket := opening or bare:
            around.append(path)
            path = below + "[]" if bracket == b"[" else below


def _own_address(key: bytes, start: int) -> Iterator[tuple[str, int, int]]:
    address = _OWN_ADDRESS.fullmatch(key)
    if address:
        yield "", start + address.start(1), start + address.end(1)


def _is_own(path: str, value: bytes) -> bool:
    kind = _kind_of_path(path)
    return kind is _Paths.OWN or (kind is _Paths.TOKENS and bool(_TOKEN_NAME.fullmatch(value[1:-1])))


class _Paths(Enum):
    """What may stand at a path: a pod's own value, one if it is a token's name, or none."""

    OWN = 1
    TOKENS = 2
    COMMON = 3


@lru_cache(maxsize=4096)
def _kind_of_path(path: str) -> _Paths:
    if _PLAIN.fullmatch(path) or _TIMES.fullmatch(path):
        return _Paths.OWN
    return _Paths.TOKENS if _TOKENS.fullmatch(path) else _Paths.COMMON
