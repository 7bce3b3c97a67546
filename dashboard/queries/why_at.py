"""Why a pod or a job waits at a decision of a run, asked of its scheduler as of then.

Within a session that is open at the decision, it is told as far as that session has come: the session is held
again from its opening, on the side, for as many steps.
"""

from dashboard.errors import NoSuchPod, NotInSession, NotPossibleNow
from dashboard.models import DecisionIndex, Run
from dashboard.queries.replay import standing_after, state_at
from scheduler_core.events.state import PODS, RunState
from scheduler_core.schedulers.cause import Answered

_ENDS_OF_SESSIONS = ("session", "close")


def why_at(run: Run, named: str, at: int, viewer: int = 0) -> Answered:
    """Return why a pod (`namespace/name` or uid) has no node after a decision, with every node's part.

    Raises NoSuchPod, NotPossibleNow for a pod with a node, and as `objects_at`.
    """
    state = state_at(run, at)
    uid = find_pod(state, named)
    if uid is None:
        raise NoSuchPod(f"There is no pod {named!r} after decision {at}.")
    node = state.tables[PODS][uid].get("node")
    if node:
        raise NotPossibleNow(f"The pod is on {node} after decision {at}.")
    opening = _open_session(run, at)
    if opening:
        with standing_after(run, opening, viewer) as simulation:
            try:
                return simulation.why_in_session(uid, at - opening)
            except LookupError:
                pass  # The session is of another scheduler than the pod's.
    with standing_after(run, at, viewer) as simulation:
        return simulation.why(uid)


def why_job_at(run: Run, job: str, at: int, viewer: int = 0) -> Answered:
    """Return why a job (its pod group, `namespace/name`) waits after a decision, by the first pod that does.

    Within a session that is open it may have no pods yet. Raises NoSuchPod where none of its pods waits,
    NotInSession for a job that takes no part in the session, and as `objects_at`.
    """
    opening = _open_session(run, at)
    if opening:
        with standing_after(run, opening, viewer) as simulation:
            try:
                return simulation.why_in_session(job, at - opening)
            except KeyError:
                raise NotInSession(f"There is no job {job!r} in the session of decision {at}.") from None
    rows = state_at(run, at).tables.get(PODS, {})
    waits = (uid for uid, row in rows.items() if row.get("group") == job and not row.get("node"))
    first = next(waits, None)
    if first is None:
        raise NoSuchPod(f"No pod of the job {job!r} waits after decision {at}.")
    return why_at(run, first, at, viewer)


def _open_session(run: Run, at: int) -> int:
    """Return the decision that opened the session which is open after a decision, 0 where none is."""
    rows = DecisionIndex.objects.filter(run=run, seq__lte=at, kind__in=_ENDS_OF_SESSIONS)
    last = rows.order_by("-seq").values_list("seq", "kind").first()
    return last[0] if last is not None and last[1] == "session" else 0


def find_pod(state: RunState, named: str) -> str | None:
    """Return the uid of a pod that is named by `namespace/name` or by its uid; None if there is none."""
    pods = state.tables.get(PODS, {})
    if named in pods:
        return named
    return next((uid for uid, row in pods.items() if f"{row['namespace']}/{row['name']}" == named), None)
