"""Runs in which HAMi takes part: its settings, its policies, and which runs ask the same under other ones."""

from django.db.models import QuerySet, TextField
from django.db.models.functions import MD5, Cast

from dashboard.kinds.kind import Config
from dashboard.models import Run
from scheduler_core.hami.configuration.kube_scheduler import KubeWithHami, build_with_hami
from scheduler_core.schedulers.registry import kinds

PROFILES = list(kinds()["hami"].versions)
MOST = 6
"""So many runs are shown beside each other at most."""
LOOKED_AT = 60


def plays_hami(run: Run) -> bool:
    """Return whether HAMi takes part in a run."""
    return bool(_settings_of(run))


def hami_of(run: Run) -> KubeWithHami | None:
    """Return the run's HAMi and the kube-scheduler that asks it, as they are configured; None without."""
    settings = _settings_of(run)
    return build_with_hami(settings[0]) if settings else None


def policies_of(run: Run) -> str:
    """Return in words by which policies a run's HAMi chooses nodes and cards."""
    made = hami_of(run)
    if made is None:
        return ""
    return f"nodes {made.hami.node_scheduler_policy}, cards {made.hami.gpu_scheduler_policy}"


def policy_runs(snapshot: int, among: QuerySet[Run]) -> list[Run]:
    """Return finished runs of HAMi on a snapshot that differ in its settings alone, at most MOST.

    Of each settings the newest run, in the order in which they were started; of several such sets of runs
    the largest, and of equally large ones the newest.
    """
    of_snapshot = among.filter(snapshot_id=snapshot, status=Run.Status.FINISHED, profile__in=PROFILES)
    digest = MD5(Cast("edits", TextField()))
    questions: dict[str, dict[str, Run]] = {}
    for run in of_snapshot.annotate(edits_digest=digest).order_by("-pk")[:LOOKED_AT]:
        questions.setdefault(_question(run), {}).setdefault(repr(run.config), run)
    # max takes the first of equals, which has the newest run.
    largest = max(questions.values(), key=len, default={})
    return sorted(list(largest.values())[:MOST], key=lambda run: run.pk)


def _question(run: Run) -> str:
    """Return all that decides a run but its scheduler's settings, as a text by which runs are told apart."""
    clock = run.driver, run.until, run.attempt_seconds, run.ready_seconds
    chosen = run.controllers, run.seed, run.attempt_limit, run.edits, run.schedule
    return repr((*clock, run.profile, run.beside, *chosen))


def _settings_of(run: Run) -> list[Config | None]:
    """Return the settings of the run's HAMi, in a list that is empty without."""
    main = [run.config] if run.profile in PROFILES else []
    return main + [entry.get("config") for entry in run.beside if entry.get("scheduler") == "hami"]
