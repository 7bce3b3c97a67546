"""A rehearsal in sentences: how many nodes get empty, what keeps pods, what would change it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dashboard.answers.answer import Answer, Column, State, Table
from dashboard.answers.answer import Verdict as Done
from dashboard.answers.rests_on import about
from dashboard.answers.sentence import Name, Names, Number, Place, Sentence, number, sentence, strong
from scheduler_core.world.rehearsal.plan import BACK_SECONDS, TIMEOUT_SECONDS, Order
from scheduler_core.world.rehearsal.rehearsed import Changed, Rehearsal, Rehearsed, RehearsedNode, Verdict

WORDS: dict[Verdict, str] = {
    "now": "now",
    "later": "later",
    "late": "given up",
    "never": "never",
    "unreached": "not reached",
}
STATES: dict[Verdict, State] = {
    "now": "done",
    "later": "evicting",
    "late": "now",
    "never": "ever",
    "unreached": "waiting",
}
ORDERS: dict[Order, str] = {"given": "as given", "zone": "by zone, by name", "name": "by name"}
NAMED = 3


def answer_of(found: Rehearsal, snapshot: int) -> Answer:
    """Return the answer about a rehearsal of a snapshot, by its primary key."""
    told = found.rehearsed
    verdict: Done = "fits" if is_well(told) else "partly" if told.empty else "not"
    if told.ended_by == "stopped":
        verdict = "unsure"
    tables = [_nodes(found, snapshot), _budgets(found), _waited(found), _changes(found)]
    return Answer(
        verdict,
        lead(found),
        tables=[table for table in tables if table.rows],
        trust=[under(found), *trust(found)],
    )


def is_well(told: Rehearsed) -> bool:
    """Return whether all nodes get empty and no pod stays down for it."""
    return told.empty == len(told.nodes) and not told.down


def lasts(milliseconds: int) -> Number:
    """Return a span of time."""
    return Number(milliseconds, measure="milliseconds")


def lead(found: Rehearsal) -> Sentence:
    """Return the sentence that a reader came for."""
    told = found.rehearsed
    if told.ended_by == "stopped":
        return sentence("The rehearsal was ended before its last decision: this is what it came to by then.")
    if len(told.nodes) == 1 and (said := _of_one(found, told.nodes[0])):
        return sentence(said, *_cordoned_before(found))
    counts = Counter(node.verdict for node in told.nodes)
    are = " is empty" if told.empty == 1 else " are empty"
    said = sentence(strong(f"{told.empty:,} of "), number(len(told.nodes), "node", strong=True), strong(are))
    said = sentence(said, " after ", lasts(told.time), *_down(told), ".")
    if counts["never"]:
        many = " never is" if counts["never"] == 1 else " never are"
        who = _who(told.never, "their")
        said = sentence(said, " ", number(counts["never"], strong=True), strong(many), who)
    if counts["late"]:
        many = " is given up" if counts["late"] == 1 else " are given up"
        late = f" after {found.plan.get('timeout', 300):g} s: not for ever, a longer time may do."
        said = sentence(said, " ", number(counts["late"], strong=True), strong(many), late)
    if counts["unreached"]:
        said = sentence(said, " ", number(counts["unreached"]), " did not have a turn.")
    return sentence(said, *_cordoned_before(found))


def _of_one(found: Rehearsal, node: RehearsedNode) -> Sentence:
    """Return whether the only node can be drained; empty where that can't be said in a word."""
    told, name = found.rehearsed, Name("node", node.node)
    if node.empty is None:
        if node.verdict == "never":
            return sentence(name, strong(" can't be drained"), _who(told.never, "its"))
        if node.verdict == "late":
            within = f" can't be drained within {found.plan.get('timeout', TIMEOUT_SECONDS):g} s"
            held = waits(node)
            return sentence(name, strong(within), ": " if held else "", held, ". A longer time may do.")
        return []
    after = sentence("it is empty after ", lasts(node.empty))
    if told.down:
        return sentence(name, strong(" can be drained, but not without harm"), ": ", after, *_down(told), ".")
    if not node.pods:
        return sentence(name, strong(" can be drained"), ": no pod has to leave it.")
    leave = " leaves it" if node.left == 1 else " leave it"
    left = sentence(", ", number(node.left, "pod"), leave, ", and none stays pending because of it.")
    return sentence(name, strong(" can be drained"), ": ", after, left)


def _down(told: Rehearsed) -> Iterator[Sentence]:
    """Yield which pods stay down when all is over."""
    if down := sum(told.left_down.values()):
        named = [part for workload in told.left_down for part in _workload(workload)]
        names = [name for name in named if isinstance(name, Name)]
        all_named = len(names) == len(told.left_down)
        of = sentence(" of ", Names(names[:NAMED], len(names[NAMED:]))) if all_named else []
        yield sentence("; ", number(down, "pod", strong=True), of, _are(down), " pending at the end")
    if told.lost:
        are = "is" if told.lost == 1 else "are"
        lost = number(told.lost, "pod", strong=True)
        yield sentence("; ", lost, f" without a controller {are} gone for good")


def _are(count: int) -> str:
    return " is" if count == 1 else " are"


def _cordoned_before(found: Rehearsal) -> Iterator[Sentence]:
    """Yield which nodes were cordoned before, and which of them the upgrade opens."""
    before = found.rehearsed.cordoned_before
    if not before:
        return
    names = Names([Name("node", name) for name in before[:NAMED]], len(before[NAMED:]))
    were = "was" if len(before) == 1 else "were"
    yield sentence(" ", names, f" {were} cordoned before")
    opened = sum(node.back is not None for node in found.rehearsed.nodes if node.node in before)
    if opened:
        which = "" if opened == len(before) else f", {opened:,} of them"
        yield sentence(which, f" and {'is' if opened == 1 else 'are'} open at the end")
    yield sentence(".")


def _who(budgets: list[str], whose: str) -> Sentence:
    if not budgets:
        return sentence(f": nothing lets {whose} pods go.")
    names = [_budget(one) for one in budgets]
    words = "budget " if len(budgets) == 1 else "budgets "
    allow = " allows no eviction, now or ever." if len(budgets) == 1 else " allow no eviction, now or ever."
    return sentence(": ", words, Names(names[:NAMED], max(0, len(names) - NAMED)), allow)


def under(found: Rehearsal) -> Sentence:
    """Return what stands below the sentence: the pods that left, and those that waited."""
    told = found.rehearsed
    pods = sum(node.pods for node in told.nodes)
    later = sum(block.verdict == "later" for node in told.nodes for block in node.blocks)
    said = sentence(
        number(told.left), " of ", number(pods, "pod"), " left, ", number(later), " at a later try"
    )
    if told.most_waiting:
        said = sentence(said, "; at most ", number(told.most_waiting), " waited for a node at once")
        if told.longest_wait:
            said = sentence(said, ", ", lasts(told.longest_wait), " the longest")
    more = told.pending - told.pending_before
    ends = f"; at the end {told.pending:,} pending, without it {told.pending_before:,}."
    return sentence(
        said, ends if more else f"; nobody more is pending at the end ({told.pending:,} either way)."
    )


def trust(found: Rehearsal) -> list[Sentence]:
    """Return what the rehearsal assumes; all of it can be changed."""
    plan = found.plan
    back, timeout = plan.get("back", BACK_SECONDS), plan.get("timeout", TIMEOUT_SECONDS)
    comes = (
        "An emptied node is gone for good; it"
        if back is None
        else f"Assumed: a node comes back {back:g} s after it is empty, and"
    )
    return [
        sentence(f"The nodes have their turn {ORDERS[plan.get('order', 'given')]}."),
        sentence(
            f"{comes} is given up after {timeout:g} s. "
            f"Evictions that a budget refuses are asked for again every 5 s."
        ),
        sentence(
            f"Assumed: a copy is Ready after its probes’ initial delay, else {found.ready_seconds:g} s. "
            "Pods end within their own grace. Pods of DaemonSets stay."
        ),
        sentence(
            "A pod waits where it has no node for a second or longer. "
            "The end is ten minutes after the last node."
        ),
        *about(found.rests_on),
    ]


def _budget(key: str) -> Name:
    namespace, _, name = key.partition("/")
    return Name("budget", name, namespace)


def _workload(key: str) -> Sentence:
    if not key:
        return sentence("pods without a controller")
    kind, namespace, name = key.split("/")
    return sentence(Name("workload", name, namespace, kind))


def _nodes(found: Rehearsal, snapshot: int) -> Table:
    columns = [
        Column("node", "node"), Column("zone", "zone"), Column("verdict", "evictions"),
        Column("cordoned", "cordoned at", number=True), Column("empty", "empty at", number=True),
        Column("back", "back at", number=True), Column("pods", "pods", number=True),
        Column("left", "left", number=True), Column("waited_for", "waited for"),
    ]  # fmt: skip
    rows: list[list[Sentence]] = [
        [
            sentence(Name("node", node.node, at=Place(snapshot=snapshot))),
            sentence(node.zone),
            sentence(WORDS[node.verdict]),
            _at(node.cordoned),
            _at(node.empty),
            _at(node.back),
            sentence(number(node.pods)),
            sentence(number(node.left)),
            waits(node),
        ]
        for node in found.rehearsed.nodes
    ]
    return Table("nodes", "Node by node", columns, rows, folds=True)


def _at(instant: int | None) -> Sentence:
    return [] if instant is None else [lasts(instant)]


def waits(node: RehearsedNode) -> Sentence:
    """Return what held a node up, and for how long; empty where nothing did."""
    if not node.blocks:
        return []
    worst = max(node.blocks, key=lambda block: (block.verdict != "later", (block.until or 0) - block.since))
    budgets = [_budget(name) for name in worst.budgets]
    what = sentence(Names(budgets)) if budgets else sentence(worst.message)
    if worst.verdict == "later":
        return sentence("waited ", lasts(node.waited), " for ", what)
    keeps = " may never go: " if worst.verdict == "never" else " did not go in time: "
    return sentence(worst.pod, keeps, what)


def _budgets(found: Rehearsal) -> Table:
    columns = [
        Column("budget", "budget"), Column("pods", "pods here", number=True),
        Column("allowed", "evictions allowed at first", number=True),
        Column("needed", "needs healthy", number=True),
        Column("healthy", "has healthy", number=True), Column("refused", "refused tries", number=True),
        Column("longest", "longest wait", number=True), Column("verdict", "evictions"),
    ]  # fmt: skip
    rows: list[list[Sentence]] = [
        [
            sentence(_budget(one.budget)),
            *(
                sentence(number(value))
                for value in (one.pods, one.allowed, one.needed, one.healthy, one.refused)
            ),
            sentence(lasts(one.longest)) if one.longest else [],
            sentence(WORDS[one.verdict]),
        ]
        for one in found.rehearsed.budgets
    ]
    return Table("budgets", "Budgets", columns, rows)


def _waited(found: Rehearsal) -> Table:
    columns = [
        Column("workload", "workload"), Column("pods", "pods", number=True),
        Column("most", "at most at once", number=True), Column("longest", "longest", number=True),
        Column("at_end", "at the end", number=True),
    ]  # fmt: skip
    rows: list[list[Sentence]] = [
        [
            _workload(one.workload),
            *(sentence(number(value)) for value in (one.pods, one.most)),
            sentence(lasts(one.longest)) if one.longest else [],
            sentence(number(one.at_end)),
        ]
        for one in found.rehearsed.waited
    ]
    return Table("waited", "Pods that waited meanwhile", columns, rows)


def _changes(found: Rehearsal) -> Table:
    columns = [
        Column("change", "change"), Column("empty", "empty", number=True),
        Column("of", "of nodes", number=True), Column("time", "after", number=True),
        Column("refused", "refused tries", number=True), Column("waiting", "wait at most", number=True),
        Column("down", "down at the end", number=True), Column("costs", "what it costs"),
        Column("enough", "enough"),
    ]  # fmt: skip
    rows: list[list[Sentence]] = [
        [
            sentence(one.title),
            *(sentence(number(value)) for value in (one.empty, one.of)),
            sentence(lasts(one.time)),
            *(sentence(number(value)) for value in (one.refused, one.most_waiting, one.down)),
            sentence(one.costs),
            enough(one, found.rehearsed),
        ]
        for one in found.changes
    ]
    return Table("changes", "What to change, each played to its end", columns, rows)


def enough(change: Changed, base: Rehearsed) -> Sentence:
    """Return whether a change is enough, and if not, why: nodes that stay, pods that do, or no gain."""
    if change.helps:
        return sentence("yes")
    if change.empty < change.of:
        return sentence("no: ", number(change.of - change.empty, "node"), " not empty")
    if change.down:
        return sentence("no: ", number(change.down, "pod"), " down")
    if change.pending > base.pending:
        return sentence("no: ", number(change.pending - base.pending, "more pod"), " pending")
    return sentence("no gain")


def best_change(found: Rehearsal) -> Changed | None:
    """Return the first change with which all is well; None where there is none, or no need."""
    if is_well(found.rehearsed):
        return None
    return next((one for one in found.changes if one.helps and one.kind != "skip"), None)
