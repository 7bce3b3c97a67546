"""The entries of a life as its page has them: what says the same is one row, session by session."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from dashboard.kinds.kube.plugin_words import OUTCOMES
from dashboard.kinds.volcano.shapes import GroupEvent

_LISTED = 200
_WHEN = {"seq": 0, "session": 0}
_WHOM = {"pod": None, "uid": None, "node": None}


class LifeRow(NamedTuple):
    """Neighbours in a life that say the same of one pod or of several, in one session or in several.

    word: the outcome in words. repeats: the session of which these `events` say all that it said again, None
    for entries that stand for themselves. rounds: in so many sessions they are said. same_pods: whether each
    of these says it of the same pods and nodes.
    """

    events: list[GroupEvent]
    word: str
    repeats: int | None = None
    rounds: int = 1
    same_pods: bool = True

    @property
    def first(self) -> GroupEvent:
        """The first of the entries."""
        return self.events[0]

    @property
    def last(self) -> GroupEvent:
        """The last of the entries."""
        return self.events[-1]

    @property
    def each(self) -> int:
        """How many entries a session has of these."""
        return len(self.events) // self.rounds

    @property
    def others(self) -> int:
        """How many pods it is about beside the first."""
        return len({event["uid"] for event in self.events} - {self.first["uid"]})

    @property
    def more_messages(self) -> int:
        """How many messages there are beside that of the first entry."""
        return len({event["message"] for event in self.events} - {self.first["message"], None})

    @property
    def listed(self) -> list[GroupEvent]:
        """The entries by which its pods are listed: those of one session where all are of the same pods."""
        return self.events[: self.each] if self.same_pods else self.events[:_LISTED]


def life_rows(events: Iterable[GroupEvent]) -> list[LifeRow]:
    """Return the rows of a life; of sessions that say the same as the one before, one row says only that."""
    rows: list[LifeRow] = []
    before: list[GroupEvent] = []
    for session, found in groupby(events, key=lambda event: event["session"]):
        entries = list(found)
        if session is None or _without(before, _WHEN | _WHOM) != _without(entries, _WHEN | _WHOM):
            rows += _of_session(entries)
            before = entries
            continue
        if rows[-1].repeats is None and rows[-1].first is not before[0]:
            rows.append(LifeRow([], "", repeats=before[0]["session"], rounds=0))
        rows[-1] = _again(rows[-1], entries, same_pods=_without(before, _WHEN) == _without(entries, _WHEN))
    return rows


def _of_session(entries: list[GroupEvent]) -> list[LifeRow]:
    """Return the rows of a session: neighbours in which other pods come to the same are one."""
    return [LifeRow(list(alike), _word(common)) for common, alike in groupby(entries, key=_what_came)]


def _what_came(event: GroupEvent) -> GroupEvent:
    """Return what an entry has in common with those of other pods; these are told in words of their own."""
    message = None if event["uid"] else event["message"]
    return {**event, "seq": 0, "pod": None, "uid": None, "node": None, "message": message}


def _again(row: LifeRow, entries: list[GroupEvent], *, same_pods: bool) -> LifeRow:
    return row._replace(
        events=[*row.events, *entries], rounds=row.rounds + 1, same_pods=row.same_pods and same_pods
    )


def _without(entries: Sequence[GroupEvent], fields: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{**event, **fields} for event in entries]


def _word(event: GroupEvent) -> str:
    """Return the outcome as the page words it; a close says the phase that it leaves."""
    words = OUTCOMES.get(event["what"], {}).get(event["outcome"])
    if words:
        return words.word
    return f"{event['outcome']} at the close" if event["what"] == "close" else str(event["outcome"])
