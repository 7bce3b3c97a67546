"""What a preflight rests on beside the cluster: its schedulers, and what is read of its manifest."""

from collections.abc import Mapping, Sequence

import msgspec

from dashboard.answers.preflight import Preflight
from dashboard.answers.sentence import Sentence, number, sentence
from dashboard.first_few import first_few
from scheduler_core.world.edits.helm_hooks import LeftOut

_NAMED = 3


def with_source(found: Preflight, chosen: str) -> Preflight:
    """Return a preflight that also says, in a sentence, where the schedulers are from that it plays."""
    return _with_more(found, sentence(chosen))


def without_secrets(found: Preflight, number_of: int) -> Preflight:
    """Return a preflight that also says how many Secrets of its manifest were left out."""
    if not number_of:
        return found
    are_left_out = number(number_of, "Secret of the manifest is,Secrets of the manifest are")
    return _with_more(found, sentence(are_left_out, " left out: no scheduler reads Secrets."))


def without_namespace(lost: Sequence[str]) -> list[Sentence]:
    """Return that namespaces have to be made before, a sentence for each."""
    return [
        sentence("There is no namespace ", name, " in the import: it has to be made before.") for name in lost
    ]


def pods_may_be_refused(levels: Mapping[str, str]) -> list[Sentence]:
    """Return that it is not checked what namespaces enforce; levels: the standard of each by its name."""
    return [
        sentence(
            f"Namespace {name} enforces the Pod Security Standard {level}: whether it lets these pods in is "
            "not checked."
        )
        for name, level in sorted(levels.items())
    ]


def without_hooks(found: Preflight, left_out: Sequence[LeftOut]) -> Preflight:
    """Return a preflight that also says which objects of its manifest Helm makes at other times."""
    if not left_out:
        return found
    hooks = sorted({hook for one in left_out for hook in one.hooks.split(", ")})
    named = first_few([one.name for one in left_out], _NAMED)
    are_left_out = number(len(left_out), "object of the manifest is,objects of the manifest are")
    why = f" left out: Helm's hooks {', '.join(hooks)} are not of an install ({named})."
    return _with_more(found, sentence(are_left_out, why))


def tried_at_once(number_of: int) -> list[Sentence]:
    """Return that so many hooks of Helm's were tried at once that come one after the other."""
    if number_of < 2:
        return []
    return [
        sentence(
            number(number_of, "post-install hook"),
            " of Helm's are tried at once: it makes them one after the other, so that more of them may fit.",
        )
    ]


def not_scaled(others: Sequence[tuple[str, int, str]]) -> list[Sentence]:
    """Return that pods are not counted which autoscalers of the manifest give others' workloads.

    others: of each such workload its name, how many replicas it has, and why it gets others.
    """
    return [
        sentence(f"{why} replicas of {name}, which has ", number(replicas), ": that is not played.")
        for name, replicas, why in others
    ]


def _with_more(found: Preflight, said: Sentence) -> Preflight:
    answer = found.answer
    told = msgspec.structs.replace(answer, trust=[*answer.trust, said])
    return msgspec.structs.replace(found, answer=told)
