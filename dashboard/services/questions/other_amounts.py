"""How many more of one shape would fit if it asked for other amounts."""

from __future__ import annotations

from dashboard.services.questions.kind import Document, Progress, QuestionKind
from dashboard.services.questions.more_fit import shape_of, world_of
from scheduler_core.world.headroom.counting import MOST
from scheduler_core.world.headroom.other_amounts import OtherAmounts, other_amounts
from scheduler_core.world.trials.warm_world import WarmWorld


def _answer(world: WarmWorld, asked: Document, progress: Progress) -> OtherAmounts:
    """Count `shape`, asking for other amounts, no more than `most` of each; else as *more_fit*."""
    world = world_of(world, asked)
    return other_amounts(
        world,
        shape_of(world, asked["shape"]),
        most=int(asked.get("most") or MOST),
        stop=progress.is_unwanted,
        told=progress.tell,
    )


KIND = QuestionKind("other_amounts", 2, OtherAmounts, _answer)
