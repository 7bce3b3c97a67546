"""The law of the log: folded, it is the state, forwards and backwards."""

from scheduler_core.events.decisions import decision_decoder, encoder
from scheduler_core.events.fold import Fold
from scheduler_core.world import Simulation


def assert_folds_both_ways(simulation: Simulation) -> None:
    """Play to the end: the stored log folds to the state after each decision, and back to the base."""
    fold, log = Fold(simulation.base), []
    for decision in simulation:
        log.append(decision_decoder.decode(encoder.encode(decision)))
        fold.apply(log[-1])
        assert fold.state() == simulation.state(), decision.seq
    for decision in reversed(log):
        fold.revert(decision)
    assert fold.state() == simulation.base
