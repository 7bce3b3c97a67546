"""What a scenario's edits would change before its run begins, for the editor."""

from __future__ import annotations

import msgspec

from dashboard.services.questions.kind import Document, Progress, QuestionKind
from scheduler_core.world.forecast import Forecast
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.trials.warm_world import WarmWorld


def _answer(world: WarmWorld, asked: Document, progress: Progress) -> Forecast:
    """Foretell the run of a `scenario`: a RunInput without objects."""
    return world.forecast(msgspec.convert(asked["scenario"], RunInput))


KIND = QuestionKind("forecast", 2, Forecast, _answer)
"""Asked of the world that other questions are asked of: the scenario's settings are in what is asked."""
