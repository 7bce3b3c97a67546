"""Edits that did not do all that was asked: a drain that a budget stopped, pods that a quota refused.

They lead wherever a run is summed up, since everything else reads as a success.
"""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dashboard.instants import clock
from dashboard.pod_names import pod_name
from dashboard.shapes.edits import EditResult
from dashboard.shapes.edits import RefusedEviction as Refusal
from dashboard.shapes.outcome import IncompleteEdit, RefusedEviction
from scheduler_core.events.decisions import ClusterChange, Decision, Eviction


def incomplete_edits(
    results: Iterable[EditResult], decided: Mapping[str, int], followed: Container[int] = ()
) -> list[IncompleteEdit]:
    """Return the edits with problems, in order; but refused evictions of those whose log is `followed`.

    results: the edits' results as a run stores them. decided: the decision at which a pod's eviction was
    refused, by uid; refusals that the run has not come to are left out.
    """
    entries = [_entry(result, decided) for result in results if result.get("problems")]
    return [
        entry
        for entry in entries
        if (entry["refused"] and entry["edit"] not in followed) or not entry["evictions"]
    ]


def _entry(result: EditResult, decided: Mapping[str, int]) -> IncompleteEdit:
    refused: list[RefusedEviction] = [
        {"seq": decided[one["uid"]], **one} for one in result.get("refused", ()) if one["uid"] in decided
    ]
    return {
        "edit": result["index"],
        "op": result["op"],
        "title": _title(result, result.get("refused", ())),
        "problems": result["problems"],
        "evictions": result.get("evictions", 0),
        "refused": refused,
    }


def _title(result: EditResult, refused: Sequence[Refusal | RefusedEviction]) -> str:
    if not refused:
        return f"Incomplete: {result['sentence']}"
    if result["op"] == "drain":
        nodes = result.get("nodes", ())
        who = refused[0]["node"] if len(nodes) < 2 else f"{len(nodes):,} nodes"
        return f"Drain of {who} incomplete"
    return f"Eviction of {refused[0]['pod']}"


@dataclass
class _Followed:
    """What the log shows of an edit where a clock moves.

    reached: the nodes that a drain has come to. asked: whose evictions it has asked for, by uid; refused:
    those that it has not got yet.
    """

    happened: int = 0
    reached: list[str] = field(default_factory=list)
    nothing: list[ClusterChange] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    refused: dict[str, Eviction] = field(default_factory=dict)


class LaterEdits:
    """What came of edits where a clock moves: whom a drain meets then is only known when it happens."""

    def __init__(self) -> None:
        self.edits: dict[int, _Followed] = {}
        self._asking: dict[int, int] = {}
        """Which edit a decision carried out that asked for evictions."""

    def follow(self, decision: Decision, leaving: Container[str]) -> None:
        """Note what a decision means for an edit; `leaving`: the pods that go anyway."""
        if isinstance(decision, ClusterChange) and decision.edit is not None:
            followed = self.edits.setdefault(decision.edit, _Followed())
            followed.happened += 1
            if decision.outcome == "asked" and decision.pod is None:
                followed.reached.append(decision.object.removeprefix("Node "))
            if decision.outcome == "nothing":
                followed.nothing.append(decision)
            self._asking[decision.seq] = decision.edit
        elif isinstance(decision, Eviction) and decision.outcome in ("evicted", "refused"):
            edit = None if decision.cause is None else self._asking.get(decision.cause)
            if edit is None:
                return
            followed = self.edits[edit]
            followed.asked.add(decision.pod.uid)
            if decision.outcome == "refused" and decision.pod.uid not in leaving:
                followed.refused[decision.pod.uid] = decision

    def forget(self, pod: str) -> None:
        """Note that a pod is on its way out, whoever asked it to go: a drain wants no more of it."""
        for followed in self.edits.values():
            followed.refused.pop(pod, None)


def incomplete_later(
    results: Sequence[EditResult], edits: Sequence[Mapping[str, Any]], later: LaterEdits, until: int | None
) -> list[IncompleteEdit]:
    """Return the edits of the clock that did not do all that was asked, as incomplete_edits does.

    until: the clock's end in milliseconds, null of a run that was cut short. Entries about an object that
    wasn't there name the decision as `seq`.
    """
    entries: list[IncompleteEdit] = []
    for result in results:
        at = edits[result["index"]].get("at") if result["index"] < len(edits) else None
        followed = later.edits.get(result["index"], _Followed())
        if at is None and not followed.refused and not _unreached(result, followed):
            continue
        if at is not None and until is not None and round(at * 1000) > until:
            problem = f"it asks for {clock(round(at * 1000))}, and the run ended at {clock(until)}"
            entries.append(_later(result, f"Did not happen: {result['sentence']}", [problem]))
        elif followed.refused:
            entries.append(_with_unreached(_refused_later(result, followed), result, followed))
        elif _unreached(result, followed):
            begun = _later(result, f"Incomplete: {result['sentence']}", [], len(followed.asked))
            entries.append(_with_unreached(begun, result, followed))
        elif followed.nothing and len(followed.nothing) == followed.happened:
            first = followed.nothing[0]
            problem = f"{first.object} was not there at {clock(first.time or 0)}"
            title = f"Without effect: {result['sentence']}"
            entries.append({**_later(result, title, [problem]), "seq": first.seq})
    return entries


def _later(
    result: EditResult,
    title: str,
    problems: list[str],
    evictions: int = 0,
    refused: Sequence[RefusedEviction] = (),
) -> IncompleteEdit:
    return {
        "edit": result["index"],
        "op": result["op"],
        "title": title,
        "problems": problems,
        "evictions": evictions,
        "refused": list(refused),
    }


def _unreached(result: EditResult, followed: _Followed) -> list[str]:
    """Return the nodes that a drain of several did not come to."""
    nodes = result.get("nodes", [])
    if result["op"] != "drain" or len(nodes) < 2 or not followed.reached:
        return []
    reached = set(followed.reached)
    return [node for node in nodes if node not in reached]


def _with_unreached(entry: IncompleteEdit, result: EditResult, followed: _Followed) -> IncompleteEdit:
    """Return the entry of a drain with the nodes that it did not come to, and where it waited."""
    left = _unreached(result, followed)
    if not left:
        return entry
    of, waited = len(result.get("nodes", [])), followed.reached[-1]
    problem = f"{len(left):,} of {of:,} nodes not reached, first {left[0]}: it still waited for {waited}"
    return {**entry, "problems": [*entry["problems"], problem], "unreached": left}


def _refused_later(result: EditResult, followed: _Followed) -> IncompleteEdit:
    foreseen = {one["uid"]: one for one in (*result.get("at_first", ()), *result.get("refused", ()))}
    refused = [_refused_in_run(one, foreseen.get(one.pod.uid)) for one in followed.refused.values()]
    by_message = Counter(str(one["message"]) for one in refused)
    share = "" if result["op"] == "evict" else f" of {len(followed.asked)}"
    first = min(one.time or 0 for one in followed.refused.values())
    problems = [
        f"{number}{share} eviction{'' if number == 1 and not share else 's'} refused at "
        f"{clock(first)}: {message.rstrip('.')}"
        for message, number in by_message.items()
    ]
    return _later(result, _title(result, refused), problems, len(followed.asked), refused)


def _refused_in_run(decision: Eviction, foreseen: Refusal | None) -> RefusedEviction:
    """Return a refusal of the log, with what was foreseen of it where that was the same pod's."""
    return {
        "seq": decision.seq,
        "uid": decision.pod.uid,
        "pod": pod_name(decision.pod),
        "node": decision.node,
        "budgets": [] if foreseen is None else foreseen["budgets"],
        "message": decision.message,
        "lasts": "" if foreseen is None else foreseen.get("lasts", ""),
    }
