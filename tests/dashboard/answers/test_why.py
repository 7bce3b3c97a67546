"""Why a pod waits, as a sentence."""

from dashboard.answers.printers.words import plain
from dashboard.answers.why import why
from scheduler_core.events.explanation import Figure
from scheduler_core.schedulers.cause import Cause, Held


def _short_of(resource: str, nodes: int, alone: int) -> Held:
    figure = Figure(what=resource, asked=8, free=2, unit="")
    return Held(
        "NodeResourcesFit", nodes, nodes, alone, reason=f"Insufficient {resource}", node="a", figure=figure
    )


def test_where_no_single_change_is_enough_all_amounts_that_are_short_are_named() -> None:
    short = [_short_of("nvidia.com/gpu", 4, 0), _short_of("cpu", 4, 0), _short_of("memory", 3, 0)]
    said = plain(why(Cause("nodes", nodes=4, held=short)))
    assert said == (
        "Fits on none of 4 nodes: no single change is enough; 4 lack nvidia.com/gpu, 4 cpu, 3 memory."
    )
