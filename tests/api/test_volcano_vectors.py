"""Recorded sessions, imported, run and read over REST, come out as `decide` gives them.

By default those cases that together show each field and word that is sent or recorded; all of them with

    EVERY_CASE=1 .venv/bin/python -m pytest tests/api/test_volcano_vectors.py
"""

from functools import partial
from typing import Any

import msgspec
import pytest

from recorded.decide import decide
from scheduler_core.events.decisions import decision_decoder
from scheduler_core.events.fold import Fold
from scheduler_core.events.state import RunState
from tests.api.playing import played
from tests.api.recorded_sessions import (
    FAMILIES,
    Case,
    first_session,
    scenario_of,
    start_of,
    summary_of_recording,
    summary_of_steps,
)
from tests.portions import recorded_cases

SEARCHING = ("topology", "subgroups", "gangevict")
"""Families in which jobs are tried hyper node by hyper node, and all but one try is taken back."""


def keep_told_choices(told: Case, recorded: Case) -> None:
    """Leave those recorded choices that the log has: it leaves out tries in hyper nodes that lost."""
    for name, action in recorded["actions"].items():
        made = iter(action["choices"])
        action["choices"] = [
            choice for choice in told["actions"][name]["choices"] if any(choice == one for one in made)
        ]


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.mark.parametrize("family", FAMILIES)
def test_a_session_through_rest_and_the_task_is_decided_as_decide_does(
    family: str, as_alice: Any, settings: Any
) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    for case in recorded_cases(f"volcano/{family}", "rest"):
        url = played(as_alice, case["cluster"], partial(scenario_of, case))
        run = as_alice.get(f"{url}/").json()
        assert run["status"] == "finished", (case["id"], run["error"])
        log = as_alice.get(f"{url}/decisions/").json()["results"]
        # A run has a clock of its own, which the plugins read that look at one.
        now = {"now": start_of(case)} if "now" in case else {}
        expected = decide({name: part for name, part in case.items() if name != "expect"} | now)
        told = plain(summary_of_steps(first_session(log)))
        recorded = plain(summary_of_recording(expected["sessions"][0]))
        if family in SEARCHING:
            keep_told_choices(told, recorded)
        assert told == recorded, case["id"]
        fold = Fold(msgspec.convert(as_alice.get(f"{url}/state/", {"at": 0}).json(), RunState))
        for row in log:
            fold.apply(decision_decoder.decode(msgspec.json.encode(row)))
        assert fold.state() == msgspec.convert(as_alice.get(f"{url}/state/").json(), RunState)


@pytest.mark.parametrize("family", ["binpack", "nodeorder", "predicates"])
def test_the_points_of_a_try_read_whole_are_the_recorded_ones(
    family: str, as_alice: Any, settings: Any
) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    case = next(recorded_cases(f"volcano/{family}"))
    url = played(as_alice, case["cluster"], partial(scenario_of, case))
    log = first_session(as_alice.get(f"{url}/decisions/").json()["results"])
    tries = [row for row in log if row["kind"] == "placement" and row["best"]]
    choices = [
        choice
        for action in case["expect"]["sessions"][0]["actions"]
        for choice in action.get("decisions", ())
    ]
    assert len(tries) == len(choices) > 0
    for row, choice in list(zip(tries, choices, strict=True))[::3]:
        whole = as_alice.get(f"{url}/decisions/{row['seq']}/").json()
        totals = {node: points["total"] for node, points in whole["scores"].items()}
        assert totals == pytest.approx(choice["scores"], abs=1e-6), (case["id"], row["seq"])
