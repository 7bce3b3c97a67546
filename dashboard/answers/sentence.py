"""A sentence as data: a list of parts, each a text, a number with its unit, names, or a scheduler's words.

A part holds no address, no markup and no plural: printers (`printers/`) make those. What a name leads to is
told by identifiers (`Place`). Amounts are in the units of the decision log: milli-CPU, bytes, whole units.

    sentence("web/ranker", ": ", number(8), " of ", number(10, "pod"), " fit")
"""

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from dashboard.amounts import is_bytes

_REASONS = 5
"""So many reasons are told one by one."""
Measure = Literal["", "milli-CPU", "bytes", "milliseconds", "share", "times"]
"""What a number is measured in; empty for things that are counted.

share: 1 for the whole, printed in percent. times: how many of what stands before it, printed as ×3.
"""

Kind = Literal[
    "decision", "pod", "node", "workload", "queue", "job", "budget", "snapshot", "scenario", "run",
    "namespace", "resource",
]  # fmt: skip


class Place(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a name leads to, by identifiers; which of them count is said by the name's kind.

    run, snapshot, scenario: the primary key of that which it is in, or is. seq: the number of a decision of
    the run, 1 or more. time: its instant in milliseconds since the start, where a clock moves. uid: a pod's.
    table: a table of the answer with the rows behind a figure (`Table.name`).
    """

    run: int | None = None
    snapshot: int | None = None
    scenario: int | None = None
    seq: int | None = None
    time: int | None = None
    uid: str = ""
    table: str = ""


class Text(msgspec.Struct, frozen=True, tag="text", tag_field="part", omit_defaults=True):
    """Plain words; `strong` where they carry the sentence."""

    text: str
    strong: bool = False


class Number(msgspec.Struct, frozen=True, tag="number", tag_field="part", omit_defaults=True):
    """A number, alone or with what it counts or is measured in.

    counts: what is counted, in the singular ("pod", "eviction"), or "one,many" where no s makes the plural
    ("copy,copies"); the word is printed behind the number. signed: a difference, printed as +3 or −3; 0 is
    "same". at: the decision or the rows behind it.
    """

    value: int | float
    counts: str = ""
    measure: Measure = ""
    signed: bool = False
    strong: bool = False
    at: Place | None = None


class Name(msgspec.Struct, frozen=True, tag="name", tag_field="part", omit_defaults=True):
    """An object by its whole name; printers shorten it.

    name: without the namespace; of a decision its number, of a run its primary key, both as text.
    of: the kind of a workload, "Deployment", where that is known.
    """

    kind: Kind
    name: str
    namespace: str = ""
    of: str = ""
    at: Place | None = None


class Names(msgspec.Struct, frozen=True, tag="names", tag_field="part", omit_defaults=True):
    """Names of one kind, in the order to be printed; `others`: how many more there are."""

    names: list[Name]
    others: int = 0


class Words(msgspec.Struct, frozen=True, tag="words", tag_field="part", omit_defaults=True):
    """What a scheduler, an API server or a controller said, unaltered."""

    words: str


Part = Text | Number | Name | Names | Words
Sentence = list[Part]


def sentence(*parts: str | Part | Iterable[Part]) -> Sentence:
    """Return the parts as a sentence; a str is a text, and sentences among them are joined in."""
    found: Sentence = []
    for part in parts:
        if isinstance(part, str):
            if part:
                found.append(Text(part))
        elif isinstance(part, msgspec.Struct):
            found.append(part)
        else:
            found.extend(part)
    return found


def uncapitalised(parts: Sentence) -> Sentence:
    """Return a sentence that goes on behind a colon: its first word is small, unless it is a name."""
    if not parts or not isinstance(parts[0], Text):
        return parts
    first = parts[0]
    return [Text(first.text[:1].lower() + first.text[1:], first.strong), *parts[1:]]


def strong(text: str) -> Text:
    """Return words that carry the sentence."""
    return Text(text, strong=True)


def number(
    value: int, counts: str = "", *, signed: bool = False, strong: bool = False, at: Place | None = None
) -> Number:
    """Return how many of what there are."""
    return Number(value, counts, signed=signed, strong=strong, at=at)


def first_reasons(reasons: Sequence[tuple[Sentence, int]]) -> Sentence:
    """Return what is said of nodes, in its order, and on how many nodes all else stands.

    reasons: what is said, and of how many nodes.
    """
    said: Sentence = []
    for one, _ in reasons[:_REASONS]:
        said = sentence(said, ", " if said else "", one)
    more = sum(nodes for _, nodes in reasons[_REASONS:])
    return sentence(said, ", other reasons on ", number(more, "node")) if more else said


def times(value: int, at: Place | None = None) -> Number:
    """Return how often that which stands before it is meant: ×3."""
    return Number(value, measure="times", at=at)


def amount(value: float, resource: str, *, signed: bool = False) -> Sentence:
    """Return an amount in the log's units, and its resource: `350m cpu`, `2 nvidia.com/gpu`."""
    measure: Measure = "milli-CPU" if resource == "cpu" else "bytes" if is_bytes(resource) else ""
    return [Number(value, measure=measure, signed=signed), Text(" "), Name("resource", resource)]


def decision(run: int | None, seq: int, time: int | None = None) -> Name:
    """Return the name of a decision of a run, which leads to it in the debugger."""
    return Name("decision", str(seq), at=Place(run=run, seq=seq, time=time))
