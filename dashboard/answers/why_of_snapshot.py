"""Why the pods of a snapshot wait: by cause, and in each by workload; as rows for pages, and as an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dashboard.answers.answer import Answer, Column, Line, Table
from dashboard.answers.sentence import Name, Place, Sentence, Words, amount, number, sentence, strong, times
from dashboard.answers.why import is_about_node, node, shortfall, why
from dashboard.answers.why_words import ENDED, OUT_OF_TIME, UNASKED, CauseWords, words_of
from dashboard.queries.waiting_pods import Alike
from scheduler_core.kube.cluster_said import Agreement, agreement
from scheduler_core.schedulers import registry
from scheduler_core.schedulers.cause import Answered, Cause, CauseKind
from scheduler_core.schedulers.registry import job_name

SAID: dict[Agreement, str] = {
    "same": "same words", "counts": "other counts", "words": "other words", "none": "no event",
}  # fmt: skip
_NO_CAUSES: list[CauseKind] = ["preempts", "fits"]
_TOLD = 4
"""So many causes are named in a lead; of more, one less and the rest counted."""
_COLUMNS = [
    Column("cause", "cause"),
    Column("workload", "workload"),
    Column("pods", "pods", number=True),
    Column("asks", "asks"),
    Column("priority", "priority", number=True),
    Column("node", "nearest node"),
    Column("short", "what is short"),
    Column("why", "why"),
    Column("said", "the cluster's own event"),
]


LEFT_OUT = Answered(Cause("untried", reason="a run leaves the pod out"))
"""What is known of pods that no scheduler has to do with."""


class Why(NamedTuple):
    """Pods that are alike, why they wait, and how often the cluster's scheduler had said the same of them."""

    pods: Alike
    answered: Answered
    agrees: dict[Agreement, int]


@dataclass
class Row:
    """The pods of a workload, or a job, that wait for the same; the first of `whys` speaks for all."""

    whys: list[Why] = field(default_factory=list)

    @property
    def pods(self) -> Alike:
        """The first of the pods that are alike."""
        return self.whys[0].pods

    @property
    def cause(self) -> Cause:
        """Why they wait."""
        return self.whys[0].answered.cause

    @property
    def number(self) -> int:
        """How many pods they are."""
        return sum(len(one.pods.uids) for one in self.whys)

    @property
    def since(self) -> str:
        """When the first of them came into being, RFC 3339; empty where nothing tells."""
        return min(filter(None, (one.pods.since for one in self.whys)), default="")

    @property
    def agrees(self) -> dict[Agreement, int]:
        """Of how many of them the cluster's scheduler had said the same, or otherwise."""
        counts: Counter[Agreement] = Counter()
        for one in self.whys:
            counts.update(one.agrees)
        return {how: counts[how] for how in SAID if counts[how]}

    @property
    def said(self) -> str:
        """What the cluster's scheduler said of one of them; empty for nothing."""
        return next((said.message for one in self.whys for said in one.pods.said.values()), "")

    def name(self, snapshot: int) -> Name:
        """Return the workload, the job, or the pod that stands alone."""
        kind, _, rest = self.pods.workload.partition("/")
        if self.pods.group and (not rest or kind == "PodGroup"):
            space, _, name = job_name(self.pods.group).partition("/")
            return Name("job", name, space)
        if not rest:
            uid = self.pods.uids[0]
            return Name("pod", self.pods.names[0], self.pods.namespace, at=Place(snapshot=snapshot, uid=uid))
        space, _, name = rest.partition("/")
        return Name("workload", name, space, of=kind, at=Place(snapshot=snapshot))


@dataclass
class Group:
    """Rows of one cause, those of most pods first."""

    words: CauseWords
    rows: list[Row]

    @property
    def number(self) -> int:
        """How many pods wait for it."""
        return sum(row.number for row in self.rows)

    @property
    def rank(self) -> int:
        """Where it stands: 0 for a cause of waiting, more for what is none."""
        if self.words == UNASKED:
            return len(_NO_CAUSES) + 1
        kind = self.rows[0].cause.kind
        return _NO_CAUSES.index(kind) + 1 if kind in _NO_CAUSES else 0

    @property
    def is_cause(self) -> bool:
        """Whether its pods wait for it, and would not be placed."""
        return not self.rank

    @property
    def look(self) -> str:
        """How its number is coloured: `placed` and `unasked` are no alarm."""
        if self.words == UNASKED:
            return "unasked"
        return "placed" if self.rows[0].cause.kind == "fits" else ""

    @property
    def behind(self) -> str:
        """What is said behind the number of its pods."""
        if self.words != UNASKED:
            alone = self.number > 1 and not any(is_asked_with_others(row.pods) for row in self.rows)
            each = ", each by itself" if alone and not self.is_cause else ""
            return f"{self.words.behind}{each}"
        return f"{'was' if self.number == 1 else 'were'} {self.words.behind}"


def unasked(pods: Alike, *, ended: bool = False) -> Why:
    """Return what is known of pods that nobody asked about, since the time was up or a reader `ended` it."""
    return Why(pods, Answered(Cause("untried", reason=ENDED if ended else OUT_OF_TIME)), {})


def agreed(pods: Alike, answered: Answered) -> dict[Agreement, int]:
    """Return of how many of the pods the cluster's scheduler said the same, or otherwise."""
    if answered is LEFT_OUT:
        return {}
    return dict(Counter(agreement(pods.said.get(uid), answered.cause.message) for uid in pods.uids))


def grouped(found: Iterable[Why]) -> list[Group]:
    """Return the causes of most pods first; what waits for the same in a workload is one row.

    Behind them stand the pods that evicting would place, those that would be placed now, and those that were
    not tried: these are no causes of waiting.
    """
    rows: dict[tuple[str, str, str, str], Row] = {}
    for one in found:
        title = words_of(one.answered.cause).title
        alone = "" if one.pods.workload or one.pods.group else one.pods.first
        key = title, one.pods.workload, one.pods.group, alone
        rows.setdefault(key, Row()).whys.append(one)
    groups: dict[str, Group] = {}
    for (title, *_), row in rows.items():
        groups.setdefault(title, Group(words_of(row.cause), [])).rows.append(row)
    for group in groups.values():
        group.rows.sort(key=lambda row: (-row.number, row.pods.namespace, row.pods.names[0]))
    return sorted(groups.values(), key=lambda group: (group.rank, -group.number, group.words.title))


def lead(groups: Sequence[Group], kinds: Sequence[Alike], waiting: int) -> Sentence:
    """Return how many pods wait, of what and for what, and how many had been refused alike.

    kinds: all pods that wait, tried or not; none where nobody has looked yet. waiting: how many these are.
    """
    if not waiting:
        return sentence(strong("Nothing waits"))
    said = sentence(strong(f"{waiting:,} {'pod' if waiting == 1 else 'pods'}"))
    owners = {one.workload or one.group for one in kinds}
    if owners and "" not in owners:
        said = sentence(said, " of ", number(len(owners), "workload"))
    said = sentence(said, " waits" if waiting == 1 else " wait", _parts(groups, waiting))
    same = sum(row.agrees.get("same", 0) for group in groups for row in group.rows)
    if same:
        refused = " was already refused" if same == 1 else " were already refused"
        whose = " by the cluster’s own scheduler "
        said = sentence(said, ". ", number(same), refused, whose, strong("with the same words"))
    return sentence(said, ".")


def _parts(groups: Sequence[Group], waiting: int) -> Sentence:
    """Return the part of a lead behind "3 pods wait": ": 2 for cpu, 1 would be placed now"."""
    if len(groups) == 1 and groups[0].number == waiting:
        [group] = groups
        if group.is_cause:
            return sentence(" ", strong(group.words.behind))
        whole = {1: "it", 2: "both"}.get(waiting, "all")
        return sentence(f": {whole} ", strong(group.behind))
    causes = [group for group in groups if group.is_cause]
    told = causes if len(causes) <= _TOLD else causes[: _TOLD - 1]
    parts = [_counted(group.number, group.behind) for group in told]
    if rest := causes[len(told) :]:
        pods = sum(group.number for group in rest)
        parts.append(_counted(pods, f"for {len(rest):,} other causes"))
    parts += [_counted(group.number, group.behind) for group in groups if not group.is_cause]
    said: Sentence = []
    for part in parts:
        said = sentence(said, ", " if said else ": ", part)
    return said


def _counted(pods: int, behind: str) -> Sentence:
    return sentence(number(pods), " ", strong(behind))


def trust(
    found: Sequence[Why],
    nodes: int,
    seconds: float,
    left: Sequence[Alike],
    chosen: str,
    untried: str,
    *,
    ended: bool = False,
) -> list[Sentence]:
    """Return how sure the answers are, as sentences; `ended`: a reader has ended what was `left`."""
    if untried:
        return [sentence(untried)]
    every = {1: "the node as it stands", 2: "both nodes as they stand"}.get(nodes)
    said: list[Sentence] = []
    if found:
        asked = sentence(
            "One pod of each kind was asked of ",
            every or sentence("all ", number(nodes, "node"), " as they stand"), ": ",
            number(len(found), "answer"), f" in {seconds:.1f} s. No scenario is made.",
        )  # fmt: skip
        said.append(asked)
    said += by_themselves(found)
    if left:
        pods = sum(len(one.uids) for one in left)
        names = ", ".join(f"{one.namespace}/{one.names[0]}" for one in left[:3])
        more = f" and {len(left) - 3:,} others" if len(left) > 3 else ""
        were = "was" if pods == 1 else "were"
        why = "it was ended" if ended else "the time was up"
        kinds = sentence(
            "Asked of ",
            number(len(found)),
            " of ",
            number(len(found) + len(left), "kind of pods,kinds of pods"),
        )
        said.append(sentence(kinds, ": ", number(pods, "pod"), f" {were} not tried, {why}: {names}{more}."))
    return [*said, *([sentence(chosen)] if chosen else [])]


def by_themselves(found: Sequence[Why]) -> list[Sentence]:
    """Return how pods were asked about: in one session, or each by itself where several would be placed."""
    said: list[Sentence] = []
    together: Counter[str] = Counter()
    for one in found:
        if is_asked_with_others(one.pods) and one.answered.cause.kind != "unserved":
            together[one.pods.scheduler] += len(one.pods.uids)
    for scheduler, pods in together.items():
        if pods > 1:
            share = "are asked in one session, not carried out: room that some get there, others lack."
            said.append(sentence(number(pods, "pod"), f" of {scheduler} {share}"))
    alone = (one for one in found if not is_asked_with_others(one.pods))
    placed = sum(len(one.pods.uids) for one in alone if one.answered.cause.kind in _NO_CAUSES)
    if placed > 1:
        words = "Each is tried by itself: of those that would be placed now, not all may fit together."
        said.append(sentence(words))
    return said


def is_asked_with_others(pods: Alike) -> bool:
    """Return whether pods are asked about in a session, where what others get is taken."""
    return any(
        kind.in_sessions and pods.scheduler in kind.names_in(None) for kind in registry.kinds().values()
    )


def answer_of(
    found: Sequence[Why], kinds: Sequence[Alike], waiting: int, snapshot: int, trusted: list[Sentence]
) -> Answer:
    """Return the answer for a whole snapshot, or for a part of it: for the `waiting` pods of `kinds`."""
    groups = grouped(found)
    lines = [
        Line(
            "pending",
            sentence(group.words.title, ":"),
            sentence(number(group.number, "pod"), ", ", group.words.means, "."),
            [_under(row, snapshot) for row in group.rows],
        )
        for group in groups
    ]
    rows = [_cells(group, row, snapshot) for group in groups for row in group.rows]
    table = Table("workloads", "By workload", _COLUMNS, rows, folds=True)
    return Answer(
        "not" if groups else "nothing_asked",
        lead(groups, kinds, waiting),
        lines,
        [table] if rows else [],
        trusted,
    )


def _under(row: Row, snapshot: int) -> Sentence:
    return sentence(row.name(snapshot), " ", times(row.number), ": ", why(row.cause, snapshot))


def asks(pods: Alike) -> Sentence:
    """Return what a pod asks for: `14.5 cpu, 8 GiB memory, 1 nvidia.com/gpu, 1 device of class gpu`."""
    said: Sentence = []
    for name, value in pods.asks.items():
        said = sentence(said, ", " if said else "", amount(value, name))
    for text in pods.devices:
        said = sentence(said, ", " if said else "", text)
    return said


def nearest(cause: Cause, snapshot: int) -> Sentence:
    """Return the nearest node of the binding cause, where there is one to name."""
    if not is_about_node(cause):
        return []
    return sentence(node(cause.held[0].node, Place(snapshot=snapshot)))


def _cells(group: Group, row: Row, snapshot: int) -> list[Sentence]:
    cause = row.cause
    said = [f"{SAID[how]} ×{count:,}" for how, count in row.agrees.items()]
    return [
        sentence(group.words.title),
        sentence(row.name(snapshot)),
        sentence(number(row.number)),
        asks(row.pods),
        sentence(number(row.pods.priority)),
        nearest(cause, snapshot),
        shortfall(cause.held[0]) if cause.held else [],
        why(cause, snapshot),
        sentence(", ".join(said), ": " if row.said else "", [Words(row.said)] if row.said else ""),
    ]
