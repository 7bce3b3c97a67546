"""Drains as one thing, however many edits they took: which nodes are empty, which wait, which never are."""

from collections import Counter

from dashboard.answers.answer import Column, Line, Pip, State, Table
from dashboard.answers.ended_run import EndedRun, joined, names
from dashboard.answers.moved import where_now
from dashboard.answers.sentence import Name, Sentence, number, sentence
from dashboard.answers.thing import Thing
from dashboard.shapes.outcome import IncompleteEdit, RefusedEviction

_RANK: dict[State, int] = {"done": 0, "waiting": 1, "refused": 2, "now": 3, "ever": 4}
_WORDS: dict[State, str] = {
    "done": "empty",
    "now": "for now",
    "ever": "for ever",
    "refused": "refused",
    "waiting": "not reached",
}
_LASTS: dict[str, State] = {"ever": "ever", "now": "now"}


def drained(asked: EndedRun) -> list[Thing]:
    """Return what became of all drains together; nothing where there are none, or one didn't even begin."""
    drains = asked.of("drain")
    if not drains:
        return []
    incomplete = {edit["edit"]: edit for edit in asked.figures.get("incomplete", ())}
    states: dict[str, State] = {}
    for edit, result in drains:
        nodes = result.get("nodes") or [str(edit["node"])]
        for node in nodes:
            state = _state(incomplete.get(result["index"]), node if len(nodes) > 1 else None)
            states[node] = max(states.get(node, "done"), state, key=lambda one: _RANK[one])
    counts = Counter(states.values())
    says = _says(asked, states, counts)
    is_done = counts["done"] == len(states)
    line = Line(
        "asked" if is_done else "not_done",
        head=[*says, *sentence(":")],
        says=_evictions(asked) if is_done else _who_refuses(asked),
        under=[] if is_done else [*_more(asked), *_cordoned(states)],
        pips=[Pip(state, name=asked.node(node)) for node, state in states.items()],
        pips_say=joined([
            sentence(number(counts[state]), f" {word}")
            for state, word in _WORDS.items()
            if counts[state]
        ]),
    )  # fmt: skip
    return [Thing(counts["done"], len(states), says, line)]


def refusals(asked: EndedRun) -> Table | None:
    """Return what the budgets refused to drains and evictions, for ever first; None where nothing was."""
    rows: dict[tuple[str, tuple[str, ...]], list[RefusedEviction]] = {}
    for edit in asked.figures.get("incomplete", ()):
        for one in edit["refused"]:
            rows.setdefault((one.get("lasts") or "", tuple(one["budgets"])), []).append(one)
    if not rows:
        return None
    order = {"ever": 0, "now": 1, "": 2}
    ranked = sorted(rows.items(), key=lambda item: (order[item[0][0]], -len(item[1]), item[0][1]))
    return Table(
        "refused",
        "What the budgets refused",
        [
            Column("evictions", "evictions", number=True),
            Column("lasts", "for how long"),
            Column("budget", "budget"),
            Column("pods", "whom, where"),
        ],
        [
            [
                [number(len(refused), at=asked.decision(refused[0]["seq"]).at)],
                sentence({"ever": "for ever", "now": "for now", "": "refused"}[lasts]),
                _budgets(budgets),
                _pods(asked, refused),
            ]
            for (lasts, budgets), refused in ranked
        ],
        says=sentence(number(sum(map(len, rows.values())), "eviction")),
    )


def _state(edit: IncompleteEdit | None, node: str | None) -> State:
    """Return what became of a drain, or of one of its nodes where it has several."""
    if edit is None:
        return "done"
    if node in edit.get("unreached", ()):
        return "waiting"
    states: list[State] = [
        _LASTS.get(one.get("lasts") or "", "refused")
        for one in edit["refused"]
        if node is None or one["node"] == node
    ]
    return max(states, key=lambda one: _RANK[one], default="refused" if node is None else "done")


def _says(asked: EndedRun, states: dict[str, State], counts: Counter[State]) -> Sentence:
    if counts["done"] == len(states):
        if len(states) == 1:
            return sentence(asked.node(next(iter(states))), " is empty")
        every = "Both" if len(states) == 2 else sentence("All ", number(len(states)))
        return sentence(every, " nodes are empty")
    if len(states) == 1:
        [(node, state)] = states.items()
        end = {"ever": " never gets empty", "now": " waits for a budget"}.get(state, " is not empty")
        return sentence(asked.node(node), end)
    rest = [
        (counts["now"], " wait for a budget", " waits for a budget"),
        (counts["ever"], " never are", " never is"),
        (counts["refused"], " are not", " is not"),
        (counts["waiting"], " were not reached", " was not reached"),
    ]
    parts = [sentence(number(some), one if some == 1 else many) for some, many, one in rest if some]
    are = " is empty" if counts["done"] == 1 else " are empty"
    return sentence(number(counts["done"]), " of ", number(len(states), "node"), are, "; ", joined(parts))


def _evictions(asked: EndedRun) -> Sentence:
    """Return how many pods went, and where they are."""
    flows = [one for one in asked.figures.get("flows", ()) if not one["by"] and "taker" not in one]
    gone = sum(flow["pods"] for flow in flows)
    if not gone:
        return sentence("no pod had to be evicted.")
    return sentence(number(gone, "pod"), " evicted, ", where_now(flows), ".")


def _who_refuses(asked: EndedRun) -> Sentence:
    """Return which budgets refuse, for ever first."""
    by_lasts: dict[str, dict[str, None]] = {"ever": {}, "now": {}, "": {}}
    for edit in asked.figures.get("incomplete", ()):
        for one in edit["refused"]:
            by_lasts[one.get("lasts") or ""].update(dict.fromkeys(one["budgets"]))
    words = {
        "ever": (" allows no eviction, now or ever", " allow no eviction, now or ever"),
        "now": (" allows none for now", " allow none for now"),
        "": (" allows none", " allow none"),
    }
    parts = [
        sentence(names(map(_budget, found)), words[lasts][len(found) > 1])
        for lasts, found in by_lasts.items()
        if found
    ]
    if not parts:
        return _asked_for(asked)
    said = parts[0]
    for part in parts[1:]:
        said = sentence(said, "; ", part)
    return [*said, *sentence(".")]


def _asked_for(asked: EndedRun) -> Sentence:
    rows = asked.figures.get("asked_of_nodes", ())
    done = sum(row["evicted"] for row in rows)
    refused = Counter(
        one.get("lasts") or "" for edit in asked.figures.get("incomplete", ()) for one in edit["refused"]
    )
    parts = [sentence(number(done), " done")]
    words = (("now", " refused for now"), ("ever", " refused for ever"), ("", " refused"))
    parts += [sentence(number(refused[lasts]), word) for lasts, word in words if refused[lasts]]
    return sentence(number(done + refused.total(), "eviction"), " asked: ", joined(parts), ".")


def _more(asked: EndedRun) -> list[Sentence]:
    """Return how many evictions were asked, unless the line itself says it."""
    said, refuses = _asked_for(asked), _who_refuses(asked)
    return [] if said == refuses else [said]


def _cordoned(states: dict[str, State]) -> list[Sentence]:
    left = sum(state != "done" for state in states.values())
    return [
        sentence("The node is cordoned, not empty." if left == 1 else "These nodes are cordoned, not empty.")
    ]


def _budgets(budgets: tuple[str, ...]) -> Sentence:
    return [names(map(_budget, budgets))] if budgets else []


def _budget(key: str) -> Name:
    namespace, _, name = key.partition("/")
    return Name("budget", name, namespace)


def _pods(asked: EndedRun, refused: list[RefusedEviction]) -> Sentence:
    parts = []
    for one in refused[:3]:
        at = asked.decision(one["seq"]).at
        namespace, _, name = one["pod"].partition("/")
        pod = Name("pod", name, namespace, at=None if at is None else type(at)(run=asked.run, uid=one["uid"]))
        parts.append(sentence(pod, " on ", asked.node(one["node"])))
    if len(refused) > 3:
        parts.append(sentence(number(len(refused) - 3, "other")))
    return joined(parts)
