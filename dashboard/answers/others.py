"""What the edits did to others: who had to go, where they are, who is short of pods, what waits for it.

What happens without the edits as well is subtracted, workload by workload.
"""

from collections import Counter

from dashboard.answers.answer import Line
from dashboard.answers.ended_run import EndedRun, joined
from dashboard.answers.sentence import Name, Place, Sentence, number, sentence
from dashboard.shapes.outcome import Figures


def evictions(asked: EndedRun) -> list[Line]:
    """Return who was evicted for others, and what became of them; nothing where the edits add nobody."""
    flows = [flow for flow in asked.figures.get("flows", ()) if flow["by"]]
    evicted = _for_others(asked.figures)
    if not evicted:
        return []
    counts: Counter[str] = Counter()
    for flow in flows:
        counts[flow["whom"]] += flow["pods"]
    back = sum(flow["free"] + flow["evicting"] for flow in flows)
    parts = [
        sentence(number(some), word)
        for some, word in (
            (back, " have a node again" if back != 1 else " has a node again"),
            (sum(flow["pending"] for flow in flows), " pending"),
            (sum(flow["gone"] for flow in flows), " not replaced"),
        )
        if some
    ]
    under = _without(asked, evicted)
    violated = len(asked.figures["budgets_violated"])
    if violated:
        violates = sentence(number(violated, "eviction violates,evictions violate"), " a disruption budget")
        either = 0 if asked.against is None else min(violated, len(asked.against["budgets_violated"]))
        too = sentence(", ", number(either), f" without {asked.by} too") if either else []
        under.append(sentence(violates, too, "."))
    head = sentence(number(evicted, "pod"), " evicted for others:")
    return [
        Line(
            "others",
            head=head,
            says=sentence(asked.counted(counts), "; ", joined(parts), "."),
            under=under,
        )
    ]


def _without(asked: EndedRun, evicted: int) -> list[Sentence]:
    """Return how many of the `evicted` go without the edits as well, or that more do."""
    without = 0 if asked.against is None else _for_others(asked.against)
    if not without:
        return []
    if without > evicted:
        return [sentence(f"Without {asked.by} ", number(without, "pod"), " are evicted for others.")]
    return [sentence(number(without), f" of these would go without {asked.by} too, or as many others.")]


def more_evicted(asked: EndedRun) -> int:
    """Return how many pods more are evicted for others than without the edits, as far as that is known."""
    return 0 if asked.against is None else max(0, _for_others(asked.figures) - _for_others(asked.against))


def _for_others(figures: Figures) -> int:
    return sum(flow["pods"] for flow in figures.get("flows", ()) if flow["by"])


def below_replicas(asked: EndedRun) -> list[Line]:
    """Return which workloads run fewer pods than they should because of the edits, new ones aside."""
    short = short_because(asked.figures, asked.against)
    own = {key for result in asked.results for key in result.get("objects", ())}
    more = {key: missing for key, missing in short.items() if missing > 0 and key not in own}
    if not more:
        return []
    says = sentence(asked.counted(more), ".")
    if asked.against is None and asked.edits:
        says = sentence(says, " How many of these are short without the edits too is not known.")
    other = any(missing > 0 and key in own for key, missing in short.items())
    counts = "other workload is,other workloads are" if other else "workload is,workloads are"
    return [Line("others", head=sentence(number(len(more), counts), " short of pods:"), says=says)]


def unmoved(asked: EndedRun) -> list[Line]:
    """Return that the edits change nothing, where each pod is where it is without them.

    Where pods have run and are gone at the end, the ends alone would say so, too.
    """
    if not asked.ends_alike:
        return []
    head = sentence("No effect on where pods run:")
    return [Line("others", head=head, says=sentence(f"each is on the node that it has without {asked.by}."))]


def pending(asked: EndedRun) -> list[Line]:
    """Return how many pods are pending because of the edits, and how many wait either way."""
    all_pending = asked.figures["pending"]
    if asked.against is None:
        head = sentence(number(all_pending, "pod is,pods are"), " pending.")
        return [Line("pending", head=head)] if all_pending else []
    more, either, fewer = held_against(asked.figures, asked.against)
    head = sentence(
        number(more), " more ", "pod is" if more == 1 else "pods are", " pending because of your edits:"
    )
    says: Sentence = sentence(number(either), " wait either way" if either != 1 else " waits either way")
    if more and more == fewer:
        head = sentence("As many pods are pending as without your edits, ", number(all_pending), ":")
        says += sentence(", ", number(more, "is another,are others"), " than without them")
    elif fewer and not more:
        are = "pod is" if fewer == 1 else "pods are"
        head = sentence(number(fewer), f" fewer {are} pending than without your edits:")
    elif fewer:
        says += sentence(", ", number(fewer), " fewer than without them")
    against = Name("run", str(asked.against_run), at=Place(run=asked.against_run))
    same = sentence("the same cluster without your edits.")
    held = same if asked.against_run is None else sentence(against, ", ", same)
    under = [sentence("Held against ", held)]
    return [Line("pending", head=head, says=[*says, *sentence(".")], under=under)]


def held_against(figures: Figures, against: Figures) -> tuple[int, int, int]:
    """Return how many pods wait only with the edits, either way, and only without them, by workload."""
    own, other = _pending(figures), _pending(against)
    return (own - other).total(), (own & other).total(), (other - own).total()


def pending_because(figures: Figures, against: Figures | None) -> Counter[str]:
    """Return of workloads how many more of their pods wait than without the edits."""
    return _pending(figures) - (Counter() if against is None else _pending(against))


def short_because(figures: Figures, against: Figures | None) -> dict[str, int]:
    """Return of workloads that are short of pods how many more of these lack than without the edits."""
    known = _short(against)
    return {key: missing - known.get(key, 0) for key, missing in _short(figures).items()}


def _pending(figures: Figures) -> Counter[str]:
    return Counter({row["workload"]: row["pending"] for row in figures.get("ends", ())})


def _short(figures: Figures | None) -> dict[str, int]:
    rows = () if figures is None else figures["below_replicas"]
    return {row["workload"]: row["replicas"] - row["running"] for row in rows}
