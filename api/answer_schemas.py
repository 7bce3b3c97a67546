"""Answers of a fixed shape as components of the OpenAPI document, derived from `dashboard/shapes`.

They are named by the answer that they are a part of: `OutcomeFailure`, `OverTimeQueue`, `WaitingPlace`,
`ComparedPodDifference`. What the log has as well is the component of the log.
"""

from functools import cache
from inspect import cleandoc
from typing import Any

import msgspec

from api.describing import reference
from api.kinds import modules
from api.views import (
    anonymised,
    came_true,
    compare,
    consolidation,
    optimum,
    preflight,
    rehearsal,
    replay,
    sweeps,
    what_if,
    why,
)
from dashboard.answers import answer
from dashboard.shapes import outcome, over_time, waiting

Schema = dict[str, Any]
_ROOTS: dict[str, list[Any]] = {
    "Anonymised": [anonymised.OfNames],
    "CameTrue": [came_true.OfRun],
    "Outcome": [outcome.Figures],
    "OverTime": [over_time.Answer, over_time.CardsAnswer],
    "Waiting": [waiting.Answer],
    "Compared": [compare.Answer],
    "Consolidation": [consolidation.OfNodes],
    "Optimum": [optimum.OfRun],
    "Rehearsal": [rehearsal.OfPlan],
    "Why": [why.OfSnapshot, replay.OfPod],
    "Preflight": [preflight.OfManifest],
    "WhatIf": [what_if.WouldFit, what_if.MoreFit],
    "Swept": [sweeps.OfSweep, sweeps.OfScenario],
    "Answer": [answer.Answer],
}
"""By the beginning of the names of what they hold."""
for _of_kind in modules("answer_roots"):
    _ROOTS.update(_of_kind.ROOTS)
BEGINNINGS = tuple(_ROOTS)
_OF_THE_LOG = ("PodRef", "WaitingRow")


@cache
def answer_schemas() -> dict[str, Schema]:
    """Return the components by name. JSON Schema of 2020-12, as OpenAPI has it from 3.1 on."""
    found: dict[str, Schema] = {}
    for beginning, roots in _ROOTS.items():
        _, parts = msgspec.json.schema_components(roots, ref_template=reference(beginning + "{name}")["$ref"])
        for name, part in parts.items():
            if name not in _OF_THE_LOG:
                found[beginning + name] = _component(part, beginning)
    return found


def _component(part: Schema, beginning: str) -> Schema:
    """Return a type's schema without its own name, for generators of clients name classes by that."""
    schema: Schema = _of_the_log({name: value for name, value in part.items() if name != "title"}, beginning)
    return schema | {"description": cleandoc(schema.get("description", ""))}


def _of_the_log(value: Any, beginning: str) -> Any:
    """Return a schema in which the log's own types are named as the log's."""
    if isinstance(value, list):
        return [_of_the_log(item, beginning) for item in value]
    if not isinstance(value, dict):
        return value
    for name in _OF_THE_LOG:
        if value.get("$ref") == reference(beginning + name)["$ref"]:
            return reference(f"Log{name}")
    return {name: _of_the_log(item, beginning) for name, item in value.items()}
