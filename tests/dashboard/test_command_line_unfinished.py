"""With what commands end, and what they say first, where a question was ended before all was tried."""

from functools import partial
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from dashboard.answers.would_fit import would_fit as answer_of_fitting
from dashboard.command_line import consolidate, headroom, rehearse, would_fit
from scheduler_core.events.decisions import Trust
from scheduler_core.world.consolidation.results import Consolidation, KeptNode
from scheduler_core.world.fitting.results import Change, Fitting, Start
from scheduler_core.world.headroom.results import Headroom, Room
from scheduler_core.world.rehearsal.rehearsed import Rehearsal, Rehearsed
from scheduler_core.world.trials.rests_on import RestsOn

SNAPSHOT = SimpleNamespace(pk=1, name="prod", content_hash="abc")
KEPT = KeptNode("a", "", "", "budget", "shop/cart-1")


def ask(monkeypatch: pytest.MonkeyPatch, module: Any, found: Any, *asked: str) -> Result:
    """Run a command over a cluster whose question came to this."""
    monkeypatch.setattr(module, "open_snapshot", lambda path: SNAPSHOT)
    monkeypatch.setattr(module, "found_here", lambda *args, **fields: found)
    command: click.Command = module.command
    return CliRunner().invoke(command, [*asked, "--snapshot", "-"], catch_exceptions=False)


@pytest.mark.parametrize(
    ("kept", "untried", "code", "says"),
    [
        ([KEPT], ["b", "c"], 4, "No node of the 1 tried of 3 can be given back. What keeps most: a budget,"),
        ([], ["a", "b", "c"], 4, "No node of 3 was tried.\n"),
        ([KEPT], [], 1, "No node of 3 can be given back. What keeps most: a budget,"),
    ],
)
def test_no_node_can_be_given_back_is_not_said_of_nodes_that_were_not_tried(
    monkeypatch: pytest.MonkeyPatch, kept: list[KeptNode], untried: list[str], code: int, says: str
) -> None:
    found = Consolidation([], kept, untried, 3, 3, 0, False, 2, 1, "late" if untried else "all")
    told = ask(monkeypatch, consolidate, found)
    assert (told.exit_code, told.stdout[: len(says)]) == (code, says)


@pytest.mark.parametrize(("ended_by", "code"), [("stopped", 4), ("most", 1), ("done", 1)])
def test_that_no_change_was_found_is_not_said_where_somebody_ended_it(
    monkeypatch: pytest.MonkeyPatch, ended_by: Any, code: int
) -> None:
    answer = partial(answer_of_fitting, name="Deployment/shop/cart")
    asked = SimpleNamespace(kind=None, of={}, answer=answer)
    monkeypatch.setattr(would_fit, "_asked", lambda *args, **fields: asked)
    found = Fitting(3, 1, "", [], [], [], [Change("add_nodes", "a")], 4, 0, ended_by)
    told = ask(monkeypatch, would_fit, found, "Deployment/shop/cart")
    assert told.exit_code == code
    assert told.stdout.startswith("It was ended before all was tried. ") is (ended_by == "stopped")


def test_of_pods_that_come_and_go_without_an_end_it_is_not_said_that_they_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer = partial(answer_of_fitting, name="Deployment/shop/cart")
    asked = SimpleNamespace(kind=None, of={}, answer=answer)
    monkeypatch.setattr(would_fit, "_asked", lambda *args, **fields: asked)
    start = Start(None, "until")
    found = Fitting(3, 3, "", [], [], [], [], 1, 0, "done", start=start, until=60.0, unsettled=True)
    told = ask(monkeypatch, would_fit, found, "Deployment/shop/cart")
    assert (told.exit_code, "3 of 3" in told.stdout) == (4, False)
    assert told.stdout.startswith("Not known for shop/cart: its pods are placed and evicted by turns")


@pytest.mark.parametrize(
    ("ended_by", "untried", "code"),
    [("first", [], 1), ("stopped", [], 4), ("most", ["Deployment/shop/api"], 4), ("most", [], 0)],
)
def test_headroom_that_was_ended_is_not_too_little(
    monkeypatch: pytest.MonkeyPatch, ended_by: Any, untried: list[str], code: int
) -> None:
    fit = 5 if ended_by == "most" else 2
    room = Room("Deployment/shop/cart", fit, 0, {}, {}, [], [], None, [], ended_by)
    told = ask(monkeypatch, headroom, Headroom([room], untried), "Deployment/shop/cart", "--least", "5")
    assert told.exit_code == code


def test_where_nothing_was_counted_it_is_not_said_that_enough_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = Headroom([], [], RestsOn("kube-1.36", Trust("all", ["gangs"], [], [])))
    told = [ask(monkeypatch, headroom, nothing, *least) for least in ((), ("--least", "1"))]
    assert [one.exit_code for one in told] == [0, 4]
    assert told[0].stdout.startswith("Nothing was counted")
    assert "Not modelled" not in told[0].stdout, "no count rests on anything"


def test_a_rehearsal_that_was_ended_says_neither_yes_nor_no(monkeypatch: pytest.MonkeyPatch) -> None:
    rehearsed = Rehearsed([], [], [], [], [], 3, [], 0, 0, 0, 0, 0, "stopped")
    told = ask(monkeypatch, rehearse, Rehearsal({}, 5.0, rehearsed, [], None), "a")
    assert told.stdout.startswith("The rehearsal was ended before its last decision")
    assert told.exit_code == 4
