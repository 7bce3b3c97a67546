"""Explanations: every answer fits the schema that is derived from the types, and nothing else does."""

import copy

import jsonschema
import msgspec
import pytest

from scheduler_core.events.explanation import SCHEMA_VERSION, Chosen, json_schema
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import budget, node, pod

SCHEMA = json_schema()
OBJECTS = [
    node("small", cpu="1"),
    node("a", cpu="3"),
    node("b", cpu="3"),
    pod("guarded", on="a", labels={"app": "guarded"}),
    pod("low", on="a", cpu="2", priority=1),
    pod("high", on="b", cpu="2", priority=2),
    budget("guard", "guarded", 0),
    pod("urgent", cpu="2", priority=10),
    pod("huge", cpu="64", priority=9),
    pod("cart", cpu="500m"),
    pod("gated", schedulingGates=[{"name": "later"}]),
]


def validator(name: str) -> jsonschema.Draft202012Validator:
    """Checks against one of the schema's types."""
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})


def explanations():
    """Every decision of a run with a preemption, a placement, a failure and a gate, explained."""
    simulation = Simulation(RunInput(objects=OBJECTS))
    while True:
        try:
            yield simulation.explain()
        except LookupError:
            return


def test_the_schema_is_valid_and_versioned() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["version"] == SCHEMA_VERSION
    assert {entry["$ref"] for entry in SCHEMA["oneOf"]} == {
        f"#/$defs/{name}"
        for name in ("AttemptInFull", "StepInFull", "VisitedNode", "NodeInFull", "OrderInFull")
    }


def test_every_answer_fits_the_schema() -> None:
    outcomes, reprieved = set(), 0
    for explanation in explanations():
        outcomes.add(explanation.decision.outcome)
        validator("AttemptInFull").validate(msgspec.to_builtins(explanation.attempt))
        for row in explanation.nodes():
            answer = explanation.node(row.node)
            validator("VisitedNode").validate(msgspec.to_builtins(row))
            validator("NodeInFull").validate(msgspec.to_builtins(answer))
            reprieved += answer.reprieve is not None
    assert outcomes == {"nominated", "scheduled", "unschedulable", "gated"}
    assert reprieved


@pytest.mark.parametrize("change", [{"total": "1"}, {"surprise": 1}, {"status": {"plugin": "x"}}])
def test_what_is_no_answer_does_not_fit(change: dict[str, object]) -> None:
    [row, *_] = next(rows for explanation in explanations() if (rows := explanation.nodes()))
    row = msgspec.to_builtins(row)
    with pytest.raises(jsonschema.ValidationError):
        validator("VisitedNode").validate(copy.deepcopy(row) | change)


def test_an_answer_says_the_same_as_the_log() -> None:
    for explanation in explanations():
        decision, attempt = explanation.decision, explanation.attempt
        assert (attempt.pod, attempt.outcome, attempt.message) == (
            decision.pod,
            decision.outcome,
            decision.message,
        )
        assert attempt.best[:100] == decision.best
        assert len(attempt.filter) == decision.visited == explanation.count()
        assert explanation.count(Chosen(status="fits")) == decision.feasible
