"""The answer of a preflight: whether what is about to be applied fits, at whose cost, and what is against it.

It says what a run with the manifest's objects as edits says (`of_run.py`), one line for each workload.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import msgspec

from dashboard.answers import not_done, others, pods_added
from dashboard.answers.answer import Answer, Line, Pip, State, Table, Verdict
from dashboard.answers.causes import causes
from dashboard.answers.ended_run import EndedRun, joined, names
from dashboard.answers.of_run import trust
from dashboard.answers.sentence import Sentence, Words, number, sentence
from dashboard.answers.why import why
from dashboard.shapes.outcome import WorkloadEnd
from scheduler_core.objects.own_kinds import OWN
from scheduler_core.objects.problems import Problem
from scheduler_core.schedulers.cause import Cause

_REASONS = 3


class Workload(msgspec.Struct, frozen=True):
    """A workload of a manifest: how many pods it asks for, and what becomes of them, in figures and in words.

    fit: pods that get a node; evicting: those of them for which others have to go. waiting: pods that find no
    node. refused: pods that a limit keeps from being made. unplayed: pods of which nothing can be said.
    says: all of it in one sentence; under: why.
    """

    kind: str
    namespace: str
    name: str
    verdict: Verdict
    asked: int
    fit: int
    evicting: int
    waiting: int
    refused: int
    unplayed: int
    says: Sentence
    under: list[Sentence]


class Bind(msgspec.Struct, frozen=True):
    """What keeps so many `pods` of a workload (`Kind/namespace/name`) from a node: a plugin says so.

    resource: what is short, empty where it is not about an amount.
    """

    workload: str
    plugin: str
    resource: str
    pods: int


class Preflight(msgspec.Struct, frozen=True):
    """What would come of applying a manifest: the answer, and the figures by which a command decides.

    workloads: those of the manifest, in its order. evicted: pods that have to go for others, and violated:
    evictions that violate a budget, both beyond those without the manifest. crosses_limit: a quota, a limit,
    a missing class or queue, or a webhook keeps objects or pods from being made. is_doubtful: it rests on
    something that isn't modelled or known. binds: what keeps pods of the manifest from nodes.
    """

    answer: Answer
    workloads: list[Workload]
    evicted: int
    violated: int
    crosses_limit: bool
    is_doubtful: bool
    binds: list[Bind] = []


class Checked(NamedTuple):
    """A workload of the manifest, `Kind/namespace/name`, and what became of the pods that it asks for.

    evicting: of those that fit, for which others have to go. refused: pods that never come to be, for
    `reasons`. unplayed: pods of which nothing can be said. ends: what became of its pods. doubts: why it
    can't be told; where no pods are asked for, pods may come of it of which nothing is known. idle: why it
    asks for none. notes: why it asks for another number of pods than its manifest says.
    """

    key: str
    asked: int
    fit: int
    evicting: int
    refused: int
    unplayed: int
    reasons: list[str]
    ends: list[WorkloadEnd]
    doubts: Sequence[str] = ()
    idle: str = ""
    notes: Sequence[str] = ()

    @property
    def is_idle(self) -> bool:
        """Whether it asks for no pods and is let in."""
        return not self.asked and bool(self.idle) and not self.reasons

    @property
    def is_unknown(self) -> bool:
        """Whether nothing is known of the pods that may come of it, not even how many."""
        return bool(self.doubts) and not self.asked

    @property
    def waiting(self) -> int:
        """How many pods find no node."""
        return self.asked - self.fit - self.refused - self.unplayed


def checked(
    asked: EndedRun,
    key: str,
    wanted: int,
    reasons: list[str],
    unplayed: int,
    nowhere: int = 0,
    doubts: Sequence[str] = (),
) -> Checked:
    """Return what became of a workload that asks for so many pods.

    reasons: why some of them, or the object itself, are refused; what else edits tell of it, too.
    nowhere: how many name a node that there is not. doubts: why it can't be told of those that do not fit.
    """
    ends = list(pods_added.rows_of(asked, key))
    pods = sum(row["pods"] for row in ends)
    whole = max(wanted, pods) if reasons or not ends else pods
    fit = max(0, sum(row["running"] for row in ends) - nowhere)
    refused = whole - pods if reasons else 0
    evicting = min(fit, sum(row["evicting"] for row in ends))
    if doubts and fit < whole:
        return Checked(key, whole, fit, evicting, 0, whole - fit, reasons, ends, doubts)
    return Checked(key, whole, fit, evicting, refused, min(unplayed, whole - fit - refused), reasons, ends)


def pod_there(one: Checked, *, runs: bool) -> Checked:
    """Return what became of a pod that was there before: whether it `runs` in the end as it is given.

    Pods of a controller are counted as those of their workload, not under their own names.
    """
    if one.reasons and not runs:
        return one._replace(asked=1, fit=0, evicting=0, refused=1, unplayed=0)
    return one._replace(asked=1, fit=1) if runs and not one.reasons else one


def unknown(key: str) -> Checked:
    """Return an object of whose pods nothing is known."""
    kind = key.partition("/")[0]
    doubt = f"{kind} isn't played: whether pods come of it, how many, and what they ask for is not known"
    if kind in map(str, OWN):
        doubt = f"Pods come of {kind} by way of jobs, which a preflight doesn't count: a run plays them"
    return Checked(key, 0, 0, 0, 0, 0, [], [], [doubt])


def answer_of_preflight(
    asked: EndedRun, workloads: Sequence[Checked], others_applied: int, kept_out: Mapping[str, list[Problem]]
) -> Answer:
    """Return the answer. others_applied: how many objects without pods are let in; `kept_out` are not."""
    known = {one.key for one in workloads}
    lines = [
        *not_done.left_alone(asked),
        *(_line(asked, one) for one in workloads),
        *(_kept_out(asked, key, found) for key, found in kept_out.items() if key not in known),
        *(_applied(others_applied) if workloads else ()),
        *others.evictions(asked),
        *others.below_replicas(asked),
        *_pending(asked, workloads),
    ]
    verdict, cut_short = _verdict(workloads), not_done.cut_short(asked)
    return Answer(
        "unsure" if cut_short and verdict == "fits" else verdict,
        [*cut_short, *_lead(asked, workloads, others_applied)],
        sorted(lines, key=lambda line: ("not_done", "asked", "others", "pending").index(line.about)),
        _why_others_wait(asked, workloads),
        trust(asked),
    )


def told(asked: EndedRun, one: Checked) -> Workload:
    """Return a workload with what is said of it."""
    line, name = _line(asked, one), asked.workload(one.key)
    return Workload(
        kind=one.key.partition("/")[0],
        namespace=name.namespace,
        name=name.name,
        verdict=_verdict([one]),
        asked=one.asked,
        fit=one.fit,
        evicting=one.evicting,
        waiting=one.waiting,
        refused=one.refused,
        unplayed=one.unplayed,
        says=sentence(line.head, " " if line.says else "", line.says),
        under=line.under,
    )


def binds(asked: EndedRun, workloads: Sequence[Checked]) -> list[Bind]:
    """Return the binding causes of the manifest's pods that wait, with how many wait for each."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for row in asked.figures.get("whys", ()):
        held = msgspec.convert(row["cause"], Cause).held
        for one in workloads if held else ():
            pods = sum(row["workloads"].get(end["workload"], 0) for end in one.ends)
            resource = held[0].figure.what if held[0].figure is not None else ""
            counts[(one.key, held[0].plugin, resource)] += pods
    return [Bind(*key, pods) for key, pods in counts.items() if pods]


def _verdict(workloads: Sequence[Checked]) -> Verdict:
    asked = sum(one.asked for one in workloads)
    fit, unplayed = sum(one.fit for one in workloads), sum(one.unplayed for one in workloads)
    if fit + unplayed == asked and any(one.unplayed or one.is_unknown for one in workloads):
        return "unsure"
    if not asked:
        return "nothing_asked"
    if fit == asked:
        return "fits"
    return "partly" if fit else "not"


def _lead(asked: EndedRun, workloads: Sequence[Checked], others_applied: int) -> Sentence:
    asks, fit = sum(one.asked for one in workloads), sum(one.fit for one in workloads)
    if not asks and (of := _unknown(asked, workloads)):
        return sentence("Nothing is known of the pods of ", of, ".")
    if not asks:
        applied = others_applied + sum(one.is_idle for one in workloads)
        return sentence("No pods are asked for: ", number(applied, "object"), " applied.")
    name = sentence(asked.workload(workloads[0].key), ": ") if len(workloads) == 1 else []
    if all(one.unplayed == one.asked and not one.is_unknown for one in workloads):
        return sentence(name, _nothing_said(asks, first=not name), _because(asked, workloads), ".")
    pods = number(asks) if name else number(asks, "pod")
    says = sentence(name, number(fit), " of ", pods, " fits" if fit == 1 and not name else " fit")
    ends = [row for one in workloads for row in one.ends]
    how = pods_added.how(asked, ends, _counts(fit, sum(one.evicting for one in workloads)))
    return sentence(says, ": " if how else "", how, _rest(asked, workloads), _because(asked, workloads), ".")


def _nothing_said(pods: int, *, first: bool = False) -> Sentence:
    return sentence("Of " if first else "of ", number(pods, "pod"), " nothing can be said")


def _because(asked: EndedRun, workloads: Sequence[Checked]) -> Sentence:
    """Return how many pods of others wait for it, as the end of a sentence."""
    more, _ = _others_pending(asked, workloads)
    if more:
        return sentence("; ", _pods_of_others(more), " because of it")
    return sentence("; nothing else is pending because of it") if any(one.fit for one in workloads) else []


def _others_pending(asked: EndedRun, workloads: Sequence[Checked]) -> tuple[dict[str, int], int]:
    """Return of workloads beside the manifest's how many pods wait because of it, and how many either way."""
    own = _own(workloads)
    more = {
        key: pods
        for key, pods in others.pending_because(asked.figures, asked.against).items()
        if key not in own
    }
    return more, 0 if asked.against is None else others.held_against(asked.figures, asked.against)[1]


def _own(workloads: Sequence[Checked]) -> set[str]:
    return {row["workload"] for one in workloads for row in one.ends}


def _pods_of_others(more: Mapping[str, int]) -> Sentence:
    pods = sum(more.values())
    return sentence(number(pods), " pod of others is pending" if pods == 1 else " pods of others are pending")


def _pending(asked: EndedRun, workloads: Sequence[Checked]) -> list[Line]:
    more, either = _others_pending(asked, workloads)
    if not more and not either:
        return []
    head = _pods_of_others(more) if more else sentence("No pod of others is pending")
    either_way = sentence(number(either), " wait either way" if either != 1 else " waits either way")
    rest = sentence("; " if more else "", either_way) if either else []
    said = sentence(asked.counted(more), rest)
    return [Line("pending", head=sentence(head, " because of it:"), says=sentence(said, "."))]


def _why_others_wait(asked: EndedRun, workloads: Sequence[Checked]) -> list[Table]:
    """Return why pods of other workloads wait; of those of the manifest its lines say it."""
    own = _own(workloads)
    whys = [row for row in asked.figures.get("whys", ()) if not own & row["workloads"].keys()]
    if not whys:
        return []
    table = causes(replace(asked, figures={**asked.figures, "whys": whys}))
    return [] if table is None else [msgspec.structs.replace(table, title="Why others wait", says=[])]


def _counts(fit: int, evicting: int) -> list[tuple[State, int]]:
    return [("done", fit - evicting), ("evicting", evicting)]


def _unknown(asked: EndedRun, workloads: Sequence[Checked]) -> Sentence:
    """Return the names of what may make pods of which nothing is known."""
    found = [one.key for one in workloads if one.is_unknown]
    return [names(map(asked.workload, found))] if found else []


def _rest(asked: EndedRun, workloads: Sequence[Checked]) -> Sentence:
    """Return how many pods wait, are refused or can't be judged, as the end of a sentence."""
    of = _unknown(asked, workloads)
    waiting, refused = sum(one.waiting for one in workloads), sum(one.refused for one in workloads)
    unplayed = sum(one.unplayed for one in workloads)
    parts = [
        sentence(number(waiting), " finds no node" if waiting == 1 else " find no node") if waiting else [],
        sentence(number(refused), " is refused" if refused == 1 else " are refused") if refused else [],
        sentence("of ", number(unplayed), " nothing can be said") if unplayed else [],
        sentence("nothing is known of the pods of ", of) if of else [],
    ]
    said = [part for part in parts if part]
    return sentence("; ", joined(said)) if said else []


def _line(asked: EndedRun, one: Checked) -> Line:
    if one.is_idle:
        says = sentence("no pods are asked for: ", one.idle, ".")
        return Line("asked", sentence(asked.workload(one.key), ":"), says)
    if one.is_unknown:
        head = sentence(asked.workload(one.key), ":")
        return Line("not_done", head, sentence("nothing is known of its pods."), under=_doubts(one))
    name = sentence(asked.workload(one.key), ":")
    if one.asked and one.unplayed == one.asked:
        says, under = _nothing_said(one.asked), [*_doubts(one), *_refusals(one), *_causes(asked, one)]
        return Line("not_done", name, [*says, *sentence(".")], under, [Pip("waiting", one.asked)], says)
    head = sentence(name, " ", number(one.fit), " of ", number(one.asked), " fit")
    how = pods_added.how(asked, one.ends, _counts(one.fit, one.evicting)) if one.fit else []
    rest = _rest(asked, [one])
    says = [*how, *rest] if how else rest[1:]
    states: list[tuple[State, int]] = [
        *_counts(one.fit, one.evicting), ("waiting", one.waiting + one.unplayed), ("refused", one.refused),
    ]  # fmt: skip
    return Line(
        "asked" if one.fit == one.asked else "not_done",
        head=sentence(head, ":" if says else "."),
        says=sentence(says, ".") if says else [],
        under=[*_doubts(one), *_refusals(one), *_causes(asked, one)],
        pips=[Pip(state, some) for state, some in states if some],
        pips_say=joined(
            [sentence(number(some), f" {pods_added.WORDS[state]}") for state, some in states if some]
        ),
    )


def _doubts(one: Checked) -> list[Sentence]:
    """Return why it can't be told, after what else is to be said of how many pods it asks for."""
    return [[Words(said), *sentence(".")] for said in (*one.notes, *one.doubts)]


def _refusals(one: Checked) -> list[Sentence]:
    """Return why pods, or the object, are refused, and what else was told of it."""
    found = list(dict.fromkeys(one.reasons))
    more = len(found) - _REASONS
    said = [[Words(reason), *sentence(".")] for reason in found[:_REASONS]]
    return [*said, sentence("And ", number(more, "more reason"), ".")] if more > 0 else said


def _causes(asked: EndedRun, one: Checked) -> list[Sentence]:
    """Return why its pods wait, each cause once; of many, as where each has a node of its own, some."""
    keys = {row["workload"] for row in one.ends}
    found = [
        msgspec.convert(row["cause"], Cause)
        for row in asked.figures.get("whys", ())
        if keys & row["workloads"].keys()
    ]
    said = list({str(said): said for said in map(why, found)}.values())
    more = len(said) - _REASONS
    return said if more <= 0 else [*said[:_REASONS], sentence("And ", number(more, "more cause"), ".")]


def _kept_out(asked: EndedRun, key: str, problems: Sequence[Problem]) -> Line:
    """Return that an object without pods is not let in."""
    words = "; ".join(problem.message for problem in problems)
    head = sentence(asked.workload(key), " is refused:")
    return Line("not_done", head=head, says=[Words(words), *sentence(".")])


def _applied(count: int) -> list[Line]:
    if not count:
        return []
    return [Line("asked", head=sentence(number(count, "other object"), " applied."))]
