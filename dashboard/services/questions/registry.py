"""The kinds of questions, by name. Why pods wait is answered in parts and has its own way."""

from __future__ import annotations

from typing import Any

from dashboard.services.questions import consolidation, more_fit, preflight, rehearsal, would_fit
from dashboard.services.questions.kind import QuestionKind

KINDS: dict[str, QuestionKind[Any]] = {
    kind.name: kind
    for kind in (consolidation.KIND, more_fit.KIND, preflight.KIND, rehearsal.KIND, would_fit.KIND)
}
