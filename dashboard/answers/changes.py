"""Changes that would make pods fit, in words: "ask for 12,000m cpu instead of 14,500m"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dashboard.answers.sentence import Name, Names, Sentence, amount, number, sentence
from scheduler_core.objects.kinds import POD_GROUP
from scheduler_core.schedulers.registry import job_name
from scheduler_core.world.fitting.results import Change

_NAMED = 3
_MEBI = 1024 * 1024
_PLAIN: dict[str, str] = {
    "ungate": "lift the scheduling gates",
    "preempt": "let the pods evict others of lower priority",
}


def changes(some: Sequence[Change]) -> Sentence:
    """Return what is done, without who it is for: one change, or two that go together."""
    said = change(some[0])
    for one in some[1:]:
        said = sentence(said, " and ", change(one))
    return said


def change(one: Change) -> Sentence:
    """Return one change."""
    if one.kind in _PLAIN:
        return sentence(_PLAIN[one.kind])
    match one.kind:
        case "ask_less":
            return sentence("ask for ", _now(one), " instead of ", _before(one))
        case "tolerate":
            return sentence("tolerate the taint ", one.what)
        case "drop_selector":
            what = f"the selector {one.what}" if one.what else "the node selector and required node affinity"
            return sentence(f"drop {what}")
        case "drop_wish":
            return sentence(f"do without the annotation {one.what}")
        case "drop_affinity":
            return sentence(f"drop the required {one.what}")
        case "relax_spread":
            return sentence(f"allow a maxSkew of {one.after} over {one.what} instead of {one.before}")
        case "drop_spread":
            return sentence(f"make the spread over {one.what} a preference")
        case "scheduler":
            return sentence(f"name the scheduler {one.what}")
        case "priority":
            new = ", a new class" if one.new else ""
            return sentence(f"have priority {one.after:,} instead of {one.before or 0:,} ({one.what}{new})")
        case "fewer_pods":
            return sentence("have ", number(one.after or 0, "pod"), f" instead of {one.before:,}")
    return _of_others(one)


def _of_others(one: Change) -> Sentence:
    match one.kind:
        case "untaint":
            return sentence(f"take the taint {one.what} from ", _nodes(one.names))
        case "uncordon":
            return sentence("uncordon ", _nodes(one.names))
        case "add_nodes":
            return sentence("add ", number(one.after or 0, "node"), " like ", Name("node", one.of))
        case "scale_down":
            fewer = sentence(" from ", number(one.before or 0, "pod"), f" to {one.after:,}")
            return sentence("scale ", workload(one.of), fewer)
        case "remove_pods":
            space, _, name = one.of.partition("/")
            return sentence("take away ", Name("pod", name, space))
        case "heal_card":
            return sentence(f"have card {one.what} of ", Name("node", one.of), " healthy again")
        case "weight":
            return sentence(
                "give ", Name("queue", one.of), f" the weight {one.after:,} instead of {one.before:,}"
            )
        case "minimum":
            least = number(one.after or 0, "pod")
            return sentence("let the gang start with ", least, f" instead of {one.before:,}")
        case "promise_less":
            return sentence("lower minResources of the gang to ", _now(one), " from ", _before(one))
    of_queue = sentence(f"raise the {one.kind} of ", Name("queue", one.of))
    return sentence(of_queue, " to ", _now(one), " from ", _before(one))


def workload(key: str) -> Name:
    """Return the name of a workload or pod group, `Kind/namespace/name`, or a pod, `namespace/name`."""
    kind, _, rest = key.partition("/")
    if kind == POD_GROUP.name:
        space, _, name = job_name(rest).partition("/")
        return Name("job", name, space)
    space, slash, name = rest.partition("/")
    return Name("workload", name, space, of=kind) if slash else Name("pod", rest, kind)


def of_workloads(counts: Mapping[str, int]) -> Sentence:
    """Return pods by workload or pod group: "96: search/suggest ×90, web/api ×6"; nothing for none."""
    if not counts:
        return []
    named = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    said = sentence(number(sum(counts.values())), ": ")
    for place, (key, count) in enumerate(named[:_NAMED]):
        whose = sentence(workload(key)) if key else sentence("bare pods")
        said = sentence(said, ", " if place else "", whose, f" ×{count:,}")
    more = len(named) - _NAMED
    return sentence(said, " and ", number(more, "other workload")) if more > 0 else said


def _now(one: Change) -> Sentence:
    return _exactly(one.after or 0, one)


def _before(one: Change) -> Sentence:
    return _exactly(one.before or 0, one)


def _exactly(value: int, one: Change) -> Sentence:
    """Return an amount; bytes aren't rounded, since a little more may not fit."""
    if one.unit != "bytes" or value % _MEBI:
        return amount(value, one.what)
    mebi = value // _MEBI
    said = f"{mebi // 1024:,} GiB" if mebi % 1024 == 0 else f"{mebi:,} MiB"
    return sentence(said, " ", Name("resource", one.what))


def _nodes(names: Sequence[str]) -> Sentence:
    if len(names) == 1:
        return sentence(Name("node", names[0]))
    shown = [Name("node", name) for name in names[:_NAMED]]
    return sentence(number(len(names), "node"), ": ", Names(shown, len(names) - len(shown)))
