"""What two runs differ in, in sentences: the first decision that differs, and how both end.

Names of pods and nodes come from somebody's cluster: the sentences are plain text.
"""

from django.utils.text import capfirst

from dashboard.instants import clock
from dashboard.models import Run
from dashboard.pod_names import pod_name
from dashboard.queries.comparison import Differences, FirstDifference, Retiming
from dashboard.queries.comparison_gangs import Gangs
from dashboard.queries.comparison_meaning import Seen
from dashboard.queries.comparison_room import Room
from dashboard.queries.comparison_rows import PodEnd
from dashboard.queries.comparison_settings import labels, sessions_alone
from dashboard.queries.session_words import does_in_session, names_of_pods, pods_in_words
from dashboard.shapes.outcome import Figures

_CUT = {"cancelled": "was cancelled", "failed": "failed"}


def cut_short(run: Run, figures: Figures | None = None) -> str:
    """Say of a run where it stands that has not come to its natural end; of any other nothing.

    figures: what it came to, by which it is known that a limit stopped it.
    """
    if not run.has_ended:
        return f"has not ended and stands at decision {run.decisions:,}"
    if figures is not None and figures["limit_reached"]:
        return f"was stopped by a limit after decision {run.decisions:,}"
    return f"{_CUT[run.status]} after decision {run.decisions:,}" if run.status in _CUT else ""


def answer(a: Run, b: Run, found: Differences) -> str:
    """Say in few sentences whose gangs start, where that differs, and where the runs part."""
    gangs = f"{_gangs(labels(a, b), found.gangs)} " if found.gangs.differ else ""
    return gangs + _parting_or_alike(a, b, found)


def are_alike(a: Run, b: Run, found: Differences) -> bool:
    """Return whether two runs that finished decide alike and end alike."""
    finished = a.status == b.status == Run.Status.FINISHED
    return finished and found.first is None and not found.pods and not found.gangs.differ


def subject(name: str) -> str:
    """Return what a run is called as the one that does something: `the run with seed 1`."""
    return _who(name)


def _parting_or_alike(a: Run, b: Run, found: Differences) -> str:
    if found.first is None:
        return _alike(a, b, found)
    if found.room is not None:
        return _room(labels(a, b), found.room)
    if sessions_alone(a, b):
        return _elsewhere(labels(a, b), found)
    return _parting(labels(a, b), found.first)


def _gangs(names: tuple[str, str], gangs: Gangs) -> str:
    """Say how many gangs each run starts, and how many of them it leaves with too few pods."""
    counts = gangs.a, gangs.b
    sides = [
        f"{_under(name)}, {_started(side, gangs.number)}" for name, side in zip(names, counts, strict=True)
    ]
    text = "; ".join(sides)
    return f"{capfirst(text)}."


def _started(counts: dict[str, int], number: int) -> str:
    whole, half = counts["whole"], counts["half placed"]
    if number == 1:
        return f"the one gang is {'whole' if whole else 'half placed' if half else 'not placed'}"
    starts = f"{whole or 'none'} of {number:,} gangs {'is' if whole <= 1 else 'are'} whole"
    return starts + (f" and {half:,} {'is' if half == 1 else 'are'} half placed" if half else "")


def _elsewhere(names: tuple[str, str], found: Differences) -> str:
    """Say where the pods of runs end whose steps can't be compared."""
    placed = [(_has_node(row.a), _has_node(row.b)) for row in found.pods]
    only = [sum(one > other for one, other in placed), sum(other > one for one, other in placed)]
    moved = sum(
        row.a is not None and row.b is not None and all(both) and row.a.node != row.b.node
        for row, both in zip(found.pods, placed, strict=True)
    )
    if not moved and not any(only):
        return "The runs decide by other steps, and every pod ends in the same place."
    one, other = (f"{_under(name)} only" for name in names)
    ends = f"{pods_in_words(only[0])} {'has' if only[0] == 1 else 'have'} a node {one}, {only[1]:,} {other}"
    return f"{ends}; {moved:,} on another node in each." if moved else f"{ends}."


def _has_node(end: PodEnd | None) -> bool:
    return end is not None and end.place == "node"


def _alike(a: Run, b: Run, found: Differences) -> str:
    decisions = f"{found.compared:,} decision{'' if found.compared == 1 else 's'}"
    if not (a.has_ended and b.has_ended):
        return f"Alike so far: the {decisions} that both runs have are the same."
    cut = [run for run in (a, b) if run.status != "finished"]
    if cut:
        ends = " and ".join(f"run {run.pk} {cut_short(run)}" for run in cut)
        return f"Alike as far as both go: the {decisions} that both runs have are the same; {ends}."
    if found.retiming is not None and not found.pods:
        return f"Both runs decide alike: all {decisions} are the same, but {_retimed(found.retiming)}."
    if found.pods:
        count = f"{len(found.pods):,} pod{'' if len(found.pods) == 1 else 's'}"
        return f"All {decisions} are the same, but {count} stood elsewhere from the beginning."
    if not found.compared:
        return "Neither run had anything to decide, and both end alike."
    return f"Both runs decide alike: all {decisions} are the same, and every pod ends in the same place."


def _retimed(retiming: Retiming) -> str:
    """Say how many decisions are the same at another instant, and when the first of them is taken."""
    return (
        f"{retiming.count:,} at another instant, the first being decision {retiming.seq:,}: "
        f"at {clock(retiming.a)} against {clock(retiming.b)}"
    )


def _room(names: tuple[str, str], room: Room) -> str:
    taken, held = names if room.taken_in == "a" else reversed(names)
    owner, taker = pod_name(room.owner), pod_name(room.taker)
    text = (
        f"{_under(taken)} the room on {room.node} that {owner} had freed was taken by {taker} "
        f"at decision {room.seq:,}; {_under(held)} it was held for {owner}."
    )
    return capfirst(text)


def _parting(names: tuple[str, str], first: FirstDifference) -> str:
    one, other = names
    agree = _agreed(first.seq - 1)
    if first.a is None or first.b is None:
        return agree + _one_goes_on(names, first)
    start = f"{agree}At decision {first.seq:,}" if agree else "The first decision already differs:"
    if first.a.time is not None and first.a.time == first.b.time:
        start = f"{agree}At {clock(first.a.time)}, with decision {first.seq:,},"
    does, other_does = _does(first.a), _does(first.b)
    if does == other_does:
        parts = " and ".join(first.parts)
        verb = "differs" if len(first.parts) == 1 else "differ"
        return f"{start} each run {does}, but the {parts} {verb}."
    return f"{start} {_who(one)} {does}; {_who(other)} {other_does}{_by_lot(first.a, first.b)}."


def _by_lot(a: Seen, b: Seen) -> str:
    """Say so where both nodes are equally good in both runs."""
    if not a.chosen or not b.chosen or a.uid != b.uid or a.chosen == b.chosen:
        return ""
    both = all(seen.is_equally_good(node) for seen in (a, b) for node in (a.chosen, b.chosen))
    return ": both nodes are equally good in both runs, and one is drawn" if both else ""


def _agreed(decisions: int) -> str:
    if not decisions:
        return ""
    return (
        "The first decision is the same. " if decisions == 1 else f"The first {decisions:,} decisions agree. "
    )


def _one_goes_on(names: tuple[str, str], first: FirstDifference) -> str:
    goes_on, ended = names if first.b is None else reversed(names)
    seen = first.a or first.b
    what = _does(seen) if seen else "goes on"
    return f"At decision {first.seq:,} {_who(goes_on)} {what}; {_who(ended)} has ended."


def _under(name: str) -> str:
    """Where something happened."""
    if name.startswith("run "):
        return f"in {name}"
    return f"with {name}" if name.endswith("seed") or name.startswith("seed ") else f"under {name}"


def _who(name: str) -> str:
    """The run as the one that decides."""
    return f"the run with {name}" if _under(name).startswith("with") else name


def _does(seen: Seen) -> str:
    """What a decision does, as the end of a sentence about its run."""
    if seen.session:
        return does_in_session(seen)
    pod, preemption = pod_name(seen.pod) if seen.pod is not None else seen.object, seen.preemption
    match seen.outcome:
        case "scheduled":
            return f"places {pod} on {seen.target}"
        case "nominated" if preemption is not None and preemption.victims:
            return f"evicts {names_of_pods(preemption.victims)} on {seen.target} to make room for {pod}"
        case "nominated":
            return f"nominates {pod} to {seen.target}"
        case "unschedulable" if seen.feasible:
            fit = "1 node fits" if seen.feasible == 1 else f"{seen.feasible:,} nodes fit"
            return f"gives {pod} no node, though {fit}"
        case "unschedulable":
            return f"finds no node for {pod}"
        case "gated":
            return f"holds {pod} back outside of the queue"
        case "evicted":
            return f"evicts {pod} from {seen.target}, as an edit asks"
        case "refused" if seen.pod is None:
            return _happens(seen)
        case "refused":
            return f"refuses to evict {pod} from {seen.target}"
        case "skipped":
            return f"leaves {pod} alone on {seen.target}"
        case "bound":
            return f"binds {pod} to {seen.target}"
        case "returned":
            return f"puts {pod} back into the queue"
        case "forgotten":
            return f"forgets {pod}, which is gone"
        case "woken":
            return "flushes the queue"
        case outcome if outcome in _HAPPENS:
            return _happens(seen)
        case "done" | "delayed" | "dropped" | "requeued":
            return f"reconciles {pod}"
        case "error":
            return f"ends the attempt at {pod} in an error"
        case other:
            return f"decides {other} about {pod}"


def _happens(seen: Seen) -> str:
    """What happens to an object by an edit's instant, or as its time is up."""
    if seen.outcome == "asked" and seen.pod is not None:
        return f"asks for the eviction of {pod_name(seen.pod)}"
    return _HAPPENS[seen.outcome].format(seen.object)


_HAPPENS = {
    "added": "lets {} come",
    "updated": "changes {}",
    "deleted": "deletes {}",
    "failed": "sees {} fail",
    "gone": "sees {} go",
    "asked": "asks for evictions because of {}",
    "nothing": "finds nothing to do about {}",
    "refused": "refuses {} by a quota",
    "finished": "sees {} end",
    "stopped": "loses the kubelet of {}",
    "started": "hears the kubelet of {} again",
}
