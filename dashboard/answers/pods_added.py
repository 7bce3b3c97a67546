"""Workloads that were added or given more pods: how many of these fit, in free room or by evicting whom."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from dashboard.answers.answer import Line, Pip, State
from dashboard.answers.ended_run import EndedRun, joined
from dashboard.answers.sentence import Name, Number, Place, Sentence, number, sentence
from dashboard.answers.thing import Thing
from dashboard.shapes.outcome import WorkloadEnd


def added(asked: EndedRun) -> list[tuple[int, Thing]]:
    """Return a thing for each workload that edits add or scale, with the edit's index."""
    found = [
        (result["index"], thing)
        for _, result in asked.of("add")
        for key in result.get("objects", ())
        if (thing := _of(asked, key, 0)) is not None
    ]
    for edit, result in asked.of("scale"):
        key = workload_of(edit)
        thing = _of(asked, key, asked.pods_without_edits(key))
        found += [] if thing is None else [(result["index"], thing)]
    return found


def summed(things: list[Thing]) -> list[Thing]:
    """Return what many edits add as one thing, what few add as it is."""
    if len(things) <= SUMMED:
        return things
    done, new = sum(thing.done for thing in things), sum(thing.asked for thing in things)
    pips: Counter[State] = Counter()
    for pip in (pip for thing in things for pip in thing.line.pips):
        pips[pip.state] += pip.count
    counts = [(state, pips[state]) for state in WORDS if pips[state]]
    says = sentence(number(new, "pod"), " added: ", number(done), " placed")
    says += sentence(", ", number(new - done), " pending") if new > done else []
    first = next((thing for thing in things if not thing.is_done), things[0])
    which = "the first of them" if done == new else "the first of which not all fit"
    line = Line(
        "asked" if done == new else "not_done",
        head=[*says, *sentence(".")],
        says=sentence("By ", number(len(things), "edit"), f", {which} ", first.says, "."),
        pips=[Pip(state, some) for state, some in counts],
        pips_say=joined([sentence(number(some), f" {WORDS[state]}") for state, some in counts]),
    )
    return [Thing(done, new, says, line)]


def renewed(asked: EndedRun) -> Iterable[tuple[int, Thing]]:
    """Yield workloads whose pods were made anew, of which more wait than without the edits.

    Of the others the edit itself says enough: all is done.
    """
    for edit, result in [*asked.of("set-workload"), *asked.of("patch")]:
        key = workload_of(edit)
        if asked.waiting(key) > asked.waiting_without_edits(key):
            thing = _of(asked, key, 0)
            if thing is not None:
                yield result["index"], thing


def workload_of(edit: Mapping[str, Any]) -> str:
    """Return whom an edit names, as `Kind/namespace/name`."""
    return f"{edit['kind'].partition('.')[0]}/{edit.get('namespace') or 'default'}/{edit['name']}"


def _of(asked: EndedRun, key: str, there_before: int) -> Thing | None:
    rows = list(rows_of(asked, key))
    pods = sum(row["pods"] for row in rows)
    new = pods - there_before
    if new <= 0:
        return None
    running = max(0, new - sum(row["pods"] - row["running"] for row in rows))
    evicting = min(running, sum(row["evicting"] for row in rows))
    counts: list[tuple[State, int]] = [
        ("done", running - evicting), ("evicting", evicting), ("waiting", new - running),
    ]  # fmt: skip
    name = asked.workload(key)
    says = _fit(name, running, new, there_before)
    placed = how(asked, rows, counts)
    line = Line(
        "asked" if running == new else "not_done",
        head=[*says, *sentence(":" if placed else ".")],
        says=[*placed, *sentence("." if placed else "")],
        under=_first(asked, rows),
        pips=[Pip(state, some) for state, some in counts if some],
        pips_say=joined([sentence(number(some), f" {WORDS[state]}") for state, some in counts if some]),
    )
    return Thing(running, new, says, line)


SUMMED = 5
"""What more edits than these add is told in one sum."""
WORDS: dict[State, str] = {
    "done": "in free room",
    "evicting": "by evicting",
    "waiting": "pending",
    "refused": "refused",
}


def rows_of(asked: EndedRun, key: str) -> Iterable[WorkloadEnd]:
    """Yield what became of an added object's pods: a workload's, a job's, or copies of a pod."""
    kind, _, rest = key.partition("/")
    of_job = asked.jobs.get(rest)
    found = [row for row in (asked.ends.get(key), of_job) if row is not None]
    yield from found[:1] if kind == "PodGroup" else found
    if kind == "Pod":
        yield from asked.copies.get(key, ())
    elif not found and (row := asked.unmade.get(rest)) is not None:
        yield row


def _fit(name: Name, running: int, new: int, there_before: int) -> Sentence:
    more = f" more {'pod' if new == 1 else 'pods'}" if there_before else ""
    if running == new:
        return sentence(name, ": ", number(running), " of ", number(new), f"{more} fit")
    return sentence(
        name,
        ": ",
        number(running),
        " of ",
        number(new),
        f"{more} fit, ",
        number(new - running),
        " ",
        _wait(new - running),
    )


def _wait(count: int) -> str:
    return "waits" if count == 1 else "wait"


def how(asked: EndedRun, rows: list[WorkloadEnd], counts: list[tuple[State, int]]) -> Sentence:
    """Return where those that fit found room."""
    free, evicting = counts[0][1], counts[1][1]
    evicted: dict[str, int] = {}
    for row in rows:
        for whom, pods in asked.evicted_by.get(row["workload"], {}).items():
            evicted[whom] = evicted.get(whom, 0) + pods
    parts = [sentence(number(free), " in free room")] if free else []
    parts += [sentence(number(evicting), " by evicting ", asked.counted(evicted))] if evicting else []
    if not evicting and evicted:
        parts.append(sentence("evicts ", asked.counted(evicted)))
    return joined(parts)


def _first(asked: EndedRun, rows: list[WorkloadEnd]) -> list[Sentence]:
    seqs = [row["seq"] for row in rows if "seq" in row and asked.run is not None]
    return [sentence("The first at ", asked.decision(min(seqs)), ".")] if seqs else []


def _like(asked: EndedRun, edit: Mapping[str, Any]) -> Sentence:
    """Return which node new ones are like; of those of a given size, what their names begin with."""
    like = edit.get("node") or edit.get("like")
    if like is None:
        return sentence(f" {edit['namePrefix']}…")
    return sentence(" like ", Name("node", like, at=Place(snapshot=asked.snapshot)))


def new_nodes(asked: EndedRun) -> list[tuple[int, Thing]]:
    """Return how many pods went to nodes that were added, with the edit's index."""
    rows = {row["edit"]: row for row in asked.figures.get("new_nodes", ())}
    things = []
    for edit, result in [*asked.of("clone-node"), *asked.of("add-nodes")]:
        row = rows.get(result["index"])
        if row is None:
            continue
        where = "there" if row["nodes"] > 1 else "to it"
        waiting = None if asked.against is None else asked.against["pending"]
        says = sentence(
            number(row["nodes"], "node"),
            *_like(asked, edit),
            ":",
        )
        pods: Sentence = [Number(row["pods"], "pod goes,pods go"), *sentence(f" {where}")]
        if waiting:
            pods += sentence(
                ", ",
                number(waiting),
                " wait" if waiting > 1 else " waits",
                " without ",
                "them" if row["nodes"] > 1 else "it",
            )
        line = Line("asked", head=says, says=[*pods, *sentence(".")])
        thing = Thing(row["nodes"], row["nodes"], [*says, *sentence(" ", pods)], line)
        things.append((result["index"], thing))
    return things
