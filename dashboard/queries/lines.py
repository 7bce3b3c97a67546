"""Lines of copies: controllers replace an evicted pod by a copy, and that one by another.

A copy names the pod that it replaces; what a pod is called says nothing.
"""

from itertools import islice

from dashboard.models import Run
from dashboard.queries.resuming import stored_lines
from scheduler_core.events.decisions import decision_decoder
from scheduler_core.events.effects import Arrived, effects

_MARK = b'"replaces":"'
"""In the recorded text of every decision at which a copy comes into being."""


def firsts_in_line(run: Run, at: int) -> dict[str, str]:
    """Return, for each copy made up to decision `at`, the first pod in its line, by uid, in their order."""
    firsts: dict[str, str] = {}
    for line in islice(stored_lines(run.pk, 0), at):
        if _MARK not in line:
            continue
        for effect in effects(decision_decoder.decode(line).changes):
            if isinstance(effect, Arrived) and effect.row.replaces is not None:
                replaced = effect.row.replaces
                firsts[effect.row.uid] = firsts.get(replaced, replaced)
    return firsts
