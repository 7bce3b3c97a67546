"""How far a run is, in the words of its pages."""

from dashboard.models import Run


def stage_of(run: Run) -> str:
    """Return the run's status, of a running one that no worker has built the cluster of yet what it does."""
    return "building the cluster" if run.status == "running" and run.trust is None else str(run.status)


def not_begun_words(run: Run) -> str:
    """Say why a run that goes on has no decision yet."""
    if run.trust is not None:
        return "Nothing is decided yet."
    if run.status == "queued" and run.started_at is not None:
        return "A worker had taken this run and gave it back: the next one begins it."
    return {
        "queued": "No worker has taken this run yet.",
        "running": "A worker has taken this run and builds its cluster.",
    }.get(run.status, "The run was paused before it began.")
