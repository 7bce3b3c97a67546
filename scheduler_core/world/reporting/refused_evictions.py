"""What drains and evictions won't achieve, said beside their edits before the run begins.

Evictions are a run's first decisions, and none of them gives a budget room again: asked beforehand, in the
same order, the budgets answer as they will then. Where a clock moves, a drain asks again for what one budget
refuses: that is said as what happens at first.
"""

from collections.abc import Callable, Iterable

from scheduler_core.world.edits.results import EditResult, EvictionRequest, RefusedEviction

NAMED_PODS = 3


def note_refusals(
    results: list[EditResult],
    requests: Iterable[EvictionRequest],
    ask: Callable[[EvictionRequest], RefusedEviction | None],
    *,
    repeats: bool = False,
) -> None:
    """Count each edit's evictions and note those that `ask` finds refused; skipped ones aren't asked.

    `repeats`: drains ask again, so that a budget refuses only at first.
    """
    in_turn: set[int] = set()
    for request in requests:
        if request.skipped is not None:
            continue
        result = results[request.edit]
        result.evictions += 1
        refused = ask(request)
        if refused is None:
            continue
        if repeats and request.patience is not None and len(refused.budgets) == 1:
            result.at_first.append(refused)
            if request.in_turn:
                in_turn.add(request.edit)
        else:
            result.refused.append(refused)
    for result in results:
        result.problems += _sentences(result, result.refused)
        if result.index in in_turn:
            result.note(_if_at_once(result, result.at_first))
            continue
        for sentence in _sentences(result, result.at_first):
            result.note(f"{sentence} at first, and the drain asks again")


def _if_at_once(result: EditResult, refusals: list[RefusedEviction]) -> str:
    """Say what would be refused if the drain of several nodes asked for all its evictions at once."""
    budgets = sorted({budget for refused in refusals for budget in refused.budgets})
    more = f" and {len(budgets) - NAMED_PODS} more" if len(budgets) > NAMED_PODS else ""
    plural = "s" if len(budgets) > 1 else ""
    return (
        f"asked for at once, {_share(refusals, result)}would be refused by PodDisruptionBudget{plural} "
        f"{', '.join(budgets[:NAMED_PODS])}{more}; the drain takes node after node, and asks again"
    )


def _sentences(result: EditResult, refusals: list[RefusedEviction]) -> list[str]:
    """Return a sentence for each budget (or other reason) that refuses evictions of the edit."""
    by_reason: dict[str, list[RefusedEviction]] = {}
    for refused in refusals:
        by_reason.setdefault(_reason(refused), []).append(refused)
    return [f"{_share(group, result)}refused {reason}: {_who(group)}" for reason, group in by_reason.items()]


def _share(group: list[RefusedEviction], result: EditResult) -> str:
    if result.op == "evict" and result.evictions == 1:
        return ""
    return f"{len(group)} of {result.evictions} eviction{'s' if result.evictions > 1 else ''} "


def _reason(refused: RefusedEviction) -> str:
    if len(refused.budgets) == 1:
        return f"by PodDisruptionBudget {refused.budgets[0]}"
    if refused.budgets:
        names = ", ".join(refused.budgets)
        return f"because of several PodDisruptionBudgets ({names}), which the eviction API doesn't support"
    return f"because {refused.message}"


def _who(group: list[RefusedEviction]) -> str:
    named = [refused.pod for refused in group[:NAMED_PODS]]
    if len(group) > NAMED_PODS:
        named.append(f"{len(group) - NAMED_PODS} more")
    listed = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
    nodes = {refused.node for refused in group}
    where = f" on {group[0].node}" if len(nodes) == 1 and group[0].node else ""
    return f"{listed} {'stays' if len(group) == 1 else 'stay'}{where}"
