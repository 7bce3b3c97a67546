"""Runs in which HAMi takes part: its settings and its policies."""

from dashboard.kinds.kind import Config
from dashboard.models import Run
from scheduler_core.hami.configuration.kube_scheduler import KubeWithHami, build_with_hami
from scheduler_core.schedulers.registry import kinds

PROFILES = list(kinds()["hami"].versions)


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


def _settings_of(run: Run) -> list[Config | None]:
    """Return the settings of the run's HAMi, in a list that is empty without."""
    main = [run.config] if run.profile in PROFILES else []
    return main + [entry.get("config") for entry in run.beside if entry.get("scheduler") == "hami"]
