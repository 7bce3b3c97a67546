"""The kinds of questions, by name. Why pods wait is answered in parts and has its own way."""

from __future__ import annotations

from typing import Any

from dashboard.services.questions import (
    consolidation,
    devices,
    forecast,
    more_fit,
    optimum,
    other_amounts,
    preflight,
    rehearsal,
    would_fit,
)
from dashboard.services.questions.kind import QuestionKind

_ALL = (consolidation, devices, forecast, more_fit, optimum, other_amounts, preflight, rehearsal, would_fit)
KINDS: dict[str, QuestionKind[Any]] = {each.KIND.name: each.KIND for each in _ALL}
