"""Why a pod waits, as a sentence."""

from msgspec.structs import replace

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


def test_where_no_node_has_any_what_alone_keeps_it_from_others_is_told_too() -> None:
    short = replace(_short_of("nvidia.com/gpu", 4, 3), largest=0)
    taint = {"nvidia.com/gpu=present:NoSchedule": 2}
    tainted = Held("TaintToleration", 2, 2, 2, reason="untolerated taint", node="b", particulars=taint)
    said = plain(why(Cause("nodes", nodes=6, held=[short, tainted])))
    assert said == (
        "Fits on none of 6 nodes: 3 lack only nvidia.com/gpu; no open node has any; 2 have only a taint that "
        "it does not tolerate, nvidia.com/gpu=present:NoSchedule."
    )
