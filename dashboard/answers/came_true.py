"""What came of a prediction, in sentences: what was found, which changes were made, what else changed."""

from collections import Counter
from collections.abc import Mapping, Sequence

from dashboard.answers.answer import Answer, Column, Line, Table, Verdict
from dashboard.answers.changes import workload
from dashboard.answers.sentence import (
    Name,
    Names,
    Number,
    Place,
    Sentence,
    number,
    sentence,
    strong,
)
from dashboard.first_few import first_few
from dashboard.queries.came_true import CameTrue
from dashboard.queries.came_true_applied import Applied, State
from dashboard.queries.came_true_between import Between
from dashboard.queries.came_true_drift import Drift

SHOWN = 200
_NAMED = 3
_STATES: dict[State, str] = {
    "applied": "applied",
    "partly": "applied in part",
    "not applied": "not applied",
    "unseen": "can’t be seen",
}
VERDICTS: dict[str, Verdict] = {"came true": "alike", "differs": "differ", "can’t be told": "unsure"}
_COLUMNS = [
    Column("workload", "workload"),
    Column("predicted_placed", "predicted with a node", number=True),
    Column("predicted_waiting", "predicted to wait", number=True),
    Column("predicted_left", "predicted to leave", number=True),
    Column("placed", "with a node", number=True),
    Column("waiting", "waiting", number=True),
    Column("left", "left", number=True),
    Column("difference", "difference", number=True),
]


def answer_of(found: CameTrue, edits: Sequence[str]) -> Answer:
    """Return the answer. edits: what each edit did in the run, as a sentence, by its index."""
    return Answer(
        VERDICTS[found.verdict],
        lead(found),
        [*_edits(found, edits), *_between(found)],
        [_table(found)] if found.drift else [],
        _trust(found),
    )


def of_predictions(verdicts: Sequence[Verdict | None]) -> Sentence:
    """Return how many predictions came true; None stands for one that nothing is known of yet."""
    told = [one for one in verdicts if one is not None]
    if not told:
        return []
    counts = Counter(told)
    said = sentence("Of ", number(len(told), "prediction"), " ", number(counts["alike"]), " came true")
    differs = "differs" if counts["differ"] == 1 else "differ"
    for count, words in ((counts["differ"], differs), (counts["unsure"], "can’t be told")):
        if count:
            said = sentence(said, ", ", number(count), f" {words}")
    return sentence(said, ".")


def lead(found: CameTrue) -> Sentence:
    """Return the sentence that a reader came for."""
    match found.verdict:
        case "can’t be told":
            return sentence(strong("Can’t be told: "), _why_not(found))
        case "came true":
            return sentence(strong("Came true. "), predicted(found), "; ", seen(found), _landed(found), ".")
    return sentence(
        strong("It differs. "), predicted(found), "; ", seen(found), _landed(found), _where(found), "."
    )


def _why_not(found: CameTrue) -> Sentence:
    snapshot = Name("snapshot", found.snapshot_name, at=Place(snapshot=found.snapshot))
    if found.is_cut_short:
        return sentence("the run was stopped at its limit, before its natural end.")
    if not found.is_applied:
        missing = sum(one.state != "applied" for one in found.applied)
        of = sentence(number(missing), " of ", number(len(found.applied), "change"))
        isnt = " is not wholly seen in " if missing == 1 else " are not wholly seen in "
        return sentence(of, isnt, snapshot, ".")
    return sentence("the run decides about no pod.")


def predicted(found: CameTrue) -> Sentence:
    """Return what was predicted, without a full stop."""
    judged = found.judged
    placed, pods = sum(row.predicted.placed for row in judged), sum(row.predicted.there for row in judged)
    whose = _whose(found, judged)
    says = sentence(whose, "predicted ", number(placed), " of ", number(pods, "pod"), " with a node")
    if found.emptied is None:
        return says
    empty = number(found.emptied.predicted)
    return sentence(says, " and ", empty, " of ", number(found.emptied.asked, "node"), " empty")


def _whose(found: CameTrue, judged: Sequence[Drift]) -> Sentence:
    if len(judged) == 1:
        return sentence(_name(found, judged[0].workload), ": ")
    return sentence(number(len(judged), "workload"), ": ")


def seen(found: CameTrue) -> Sentence:
    """Return what was found, without a full stop."""
    placed = sum(row.found.placed for row in found.judged)
    there = sum(row.found.there for row in found.judged)
    have = " has one" if placed == 1 else " have one"
    says = sentence(number(placed, strong=True), " of ", number(there), have)
    if found.emptied is None:
        return says
    are = " is empty" if found.emptied.found == 1 else " are empty"
    return sentence(says, " and ", number(found.emptied.found, "node", strong=True), are)


def _landed(found: CameTrue) -> Sentence:
    """Return how many new pods are on the predicted pools and nodes, as the end of a sentence."""
    pods = found.landed
    if not pods.pods:
        return []
    on_pool = [] if pods.on_pool is None else sentence(number(pods.on_pool), " on the predicted pool and ")
    on_node = sentence(number(pods.on_node), " on the predicted node")
    return sentence(". Of ", number(pods.pods, "pod"), " that got a node since, ", on_pool, on_node)


def _where(found: CameTrue) -> Sentence:
    """Return how many workloads differ, where sums may hide it."""
    differ = sum(row.differs for row in found.judged)
    if len(found.judged) < 2 or not differ:
        return []
    return sentence(". ", number(differ, "workload differs,workloads differ"))


# -- lines ---------------------------------------------------------------------------------------------


def _edits(found: CameTrue, edits: Sequence[str]) -> list[Line]:
    if not found.applied:
        return [
            Line("asked", head=sentence("The run has no edits:"), says=sentence("nothing was to be changed."))
        ]
    return [_edit(one, edits[one.index] if one.index < len(edits) else "") for one in found.applied]


def _edit(one: Applied, words: str) -> Line:
    """Return what was seen of an edit."""
    head = sentence(words or f"Edit {one.index + 1}", ":")
    notes = sentence("; ", "; ".join(one.notes)) if one.notes else []
    is_done = one.state == "applied"
    return Line("asked" if is_done else "not_done", head=head, says=sentence(_STATES[one.state], notes, "."))


def _between(found: CameTrue) -> list[Line]:
    """Return what else changed between the two snapshots."""
    time = Number(found.seconds * 1000, measure="milliseconds")
    head = sentence("What else changed in the ", time, " between:")
    if found.between.is_nothing:
        return [Line("others", head=head, says=sentence("nothing that is looked for."))]
    return [Line("others", head=head, says=sentence(_first(found), "."), under=_changes(found.between))]


def _first(found: CameTrue) -> Sentence:
    one = found.between
    parts = [
        (len(one.came), "node came,nodes came"),
        (len(one.left), "node left,nodes left"),
        (sum(one.more.values()), "pod of others more than predicted,pods of others more than predicted"),
        (sum(one.fewer.values()), "pod of others fewer than predicted,pods of others fewer than predicted"),
        (len(one.requests), "workload asks for other amounts,workloads ask for other amounts"),
        (len(one.objects), "object changed,objects changed"),
    ]
    said: Sentence = []
    for count, words in parts:
        if count:
            said += sentence(", " if said else "", number(count, words))
    if one.releases:
        said += sentence(", " if said else "", "another release of the API server")
    return said


def _changes(one: Between) -> list[Sentence]:
    told = [
        _nodes("Nodes that came: ", one.came),
        _nodes("Nodes that left: ", one.left),
        _counts("More pods than predicted: ", one.more),
        _counts("Fewer pods than predicted: ", one.fewer),
        _list("Other requests: ", [key.replace("/", " ", 1) for key in one.requests]),
        _list("Changed: ", one.objects),
        sentence(f"Release: {one.releases[0]} before, {one.releases[1]} now.") if one.releases else [],
    ]
    return [said for said in told if said]


def _nodes(words: str, names: Sequence[str]) -> Sentence:
    if not names:
        return []
    shown = [Name("node", name) for name in names[:_NAMED]]
    return sentence(words, Names(shown, len(names) - len(shown)), ".")


def _counts(words: str, counts: Mapping[str, int]) -> Sentence:
    if not counts:
        return []
    said = sentence(words)
    for place, (key, count) in enumerate(list(counts.items())[:_NAMED]):
        said += sentence(", " if place else "", workload(key), f" ×{count:,}")
    more = len(counts) - _NAMED
    return sentence(said, " and ", number(more, "other workload"), ".") if more > 0 else sentence(said, ".")


def _list(words: str, names: Sequence[str]) -> Sentence:
    if not names:
        return []
    return sentence(words, first_few(names, _NAMED), ".")


# -- the table -----------------------------------------------------------------------------------------


def _table(found: CameTrue) -> Table:
    judged = len(found.judged)
    rows = sentence("first row") if judged == 1 else sentence("first ", number(judged, "row"))
    left = "Left are pods that had a node in the run’s snapshot, and are there no more."
    says = sentence("The verdict is about the ", rows, " alone. ", left)
    return Table(
        "drift",
        "Predicted and found, by workload",
        _COLUMNS,
        [_row(found, row) for row in found.drift[:SHOWN]],
        says=says,
        others=max(0, len(found.drift) - SHOWN),
    )


def _row(found: CameTrue, row: Drift) -> list[Sentence]:
    at = None if row.seq is None else Place(run=found.run, seq=row.seq)
    foreseen, there = row.predicted, row.found
    return [
        sentence(_name(found, row.workload)),
        sentence(number(foreseen.placed, at=at)),
        sentence(number(foreseen.waiting)),
        sentence(number(foreseen.left)),
        sentence(number(there.placed, strong=row.differs)),
        sentence(number(there.waiting)),
        sentence(number(there.left)),
        sentence(number(there.placed - foreseen.placed, signed=True, strong=row.differs)),
    ]


def _name(found: CameTrue, key: str) -> Name:
    """Return a workload's name, which leads to its pods in the later snapshot if it has any there."""
    name = workload(key)
    is_there = any(row.workload == key and row.found.there for row in found.drift)
    if not is_there or name.of in ("Pod", "PodGroup"):
        return name
    return Name("workload", name.name, name.namespace, of=name.of, at=Place(snapshot=found.snapshot))


def _trust(found: CameTrue) -> list[Sentence]:
    said = [
        sentence(
            "Held against ", Name("snapshot", found.snapshot_name, at=Place(snapshot=found.snapshot)), "."
        )
    ]
    if found.is_chosen:
        said.append(sentence("Somebody chose this snapshot: it need not be the first after the change."))
    elif found.is_applied:
        said.append(sentence("It is the first reading that is kept in which the changes are seen."))
    if not found.is_connected:
        said.append(sentence("No connection says that both are of one cluster: they share names of nodes."))
    if found.lacks:
        said.append(sentence("This reading lacks kinds that the account may not list."))
    said.append(sentence(f"Predicted by {found.profile}: other schedulers may decide otherwise."))
    said.append(
        sentence("Only numbers of pods are judged, without tolerance; nodes, pools and times are told.")
    )
    return said
