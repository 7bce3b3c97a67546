"""The steps of sessions in words, and the names of pods, for sentences about two runs."""

from collections.abc import Sequence

from dashboard.pod_names import InNamespace, pod_name
from dashboard.queries.comparison_meaning import Seen
from scheduler_core.schedulers.registry import job_name


def does_in_session(seen: Seen) -> str:
    """Return what a step of a session does, as the end of a sentence about its run."""
    about = pod_name(seen.pod) if seen.pod is not None else job_name(seen.about)
    match seen.outcome:
        case "opened":
            return f"opens session {seen.session:,}"
        case "entered":
            return f"lets {about} into queue {seen.queue}"
        case "rejected":
            return f"leaves {about} outside of queue {seen.queue}"
        case "allocated":
            return f"gives {about} {seen.node}, for now"
        case "pipelined":
            return f"promises {about} room on {seen.node}"
        case "refused":
            return f"finds no node for {about}"
        case "skipped":
            return f"passes {about} over"
        case "chosen":
            return f"takes {about} to a hyper node"
        case "nowhere":
            return f"finds no hyper node for {about}"
        case "committed" if seen.victims:
            return f"commits {about} and evicts {names_of_pods(seen.victims)} for it"
        case "committed":
            return f"commits {about}: {pods_in_words(len(seen.starting))} bound"
        case "kept":
            return f"lets {about} wait for room that is to be freed"
        case "discarded":
            return f"takes everything back that was tried for {about}"
        case "overused":
            return f"passes queue {about} over, which has its share"
        case "active" | "idle":
            return f"closes session {seen.session:,}"
        case other:
            return f"decides {other} about {about}"


def pods_in_words(number: int) -> str:
    """Return a number of pods in words."""
    return f"{number:,} pod{'' if number == 1 else 's'}"


def names_of_pods(pods: Sequence[InNamespace], most: int = 3) -> str:
    """Return the names of pods in words, the first of many."""
    listed = [pod_name(pod) for pod in pods[:most]]
    if len(pods) > most:
        return f"{len(pods)} pods ({', '.join(listed)}, …)"
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}"
