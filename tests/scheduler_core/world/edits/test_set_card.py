"""A card that fails, is healthy again or goes: what is said, what schedulers make of it, what is refused."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.events.decisions import Attempt
from scheduler_core.objects.problems import BadInput
from scheduler_core.schedulers.registry import card_edits
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.edits import Applied, apply_edits
from tests.portions import tries
from tests.scheduler_core.folding import assert_folds_both_ways
from tests.scheduler_core.hami import cards as hami
from tests.scheduler_core.world.test_hami import HELD, asking, machine

REGISTERED = "hami.io/node-nvidia-register"


def edit(card: str = "a-gpu-0", state: str = "unhealthy", node: str = "a", **parts: Any) -> dict[str, Any]:
    return {"op": "set-card", "node": node, "card": card, "state": state, **parts}


def applied(*objects: Any, edits: Any = None) -> Applied:
    return apply_edits(list(objects), edits or [edit()])


def held() -> Any:
    return asking("held", annotations=HELD, nodeName="a") | {"status": {"phase": "Running"}}


def state_of(node: Any) -> list[tuple[str, bool]]:
    [known] = card_edits()
    return [(card.id, card.healthy) for card in known.cards(node)]


def slots_of(node: Any) -> tuple[str, str]:
    return tuple(node["status"][field]["nvidia.com/gpu"] for field in ("capacity", "allocatable"))  # type: ignore[return-value]


def decisions(*objects: Any, **more: Any) -> Any:
    return list(Simulation(RunInput(objects=list(objects), profile="hami-2.10", **more)))


# -- what it does ------------------------------------------------------------------------------------


def test_a_card_that_fails_keeps_its_pods_and_its_slots_are_no_longer_allocatable() -> None:
    made = applied(machine(), held())
    [result] = made.results
    assert result.sentence == "card a-gpu-0 (index 0, NVIDIA A100) of node a: healthy → unhealthy"
    assert result.changes == [
        "allocatable of nvidia.com/gpu on a: 20 → 10",
        "1 pod holds it and stays: default/held; a card's health evicts no pod",
    ]
    node, pod = made.objects
    assert (state_of(node), slots_of(node)) == ([("a-gpu-0", False), ("a-gpu-1", True)], ("20", "10"))
    assert pod == held()


def test_a_card_that_is_removed_takes_its_slots_out_of_both_amounts() -> None:
    made = applied(machine(), edits=[edit("1", "removed")])
    assert made.results[0].changes == [
        "allocatable of nvidia.com/gpu on a: 20 → 10",
        "capacity of nvidia.com/gpu on a: 20 → 10",
    ]
    assert (state_of(made.objects[0]), slots_of(made.objects[0])) == ([("a-gpu-0", True)], ("10", "10"))


def test_an_amount_that_counts_something_else_than_slots_stays() -> None:
    node = machine()
    node["status"] = {
        **node["status"],
        "allocatable": {**node["status"]["allocatable"], "nvidia.com/gpu": "2"},
    }
    made = applied(node)
    assert (slots_of(made.objects[0]), made.results[0].changes) == (("20", "2"), [])


def test_the_scheduler_gives_an_unhealthy_card_to_no_new_pod_and_says_so() -> None:
    both = [edit("a-gpu-0"), edit("a-gpu-1")]
    [one] = decisions(machine(), asking(), edits=[edit()])
    assert one.exchanges[0].cards.devices["NVIDIA"][0][0].id == "a-gpu-1"
    [none] = decisions(machine(), asking(), edits=both)
    assert none.outcome == "unschedulable"
    assert none.message == (
        "0/1 nodes are available: 1 2/2 CardNotHealth. no new claims to deallocate, preemption: "
        "0/1 nodes are available: 1 No preemption victims found for incoming pod."
    )


def timed(cards: int) -> Simulation:
    """A node of so many cards, of which the first fails after ten seconds; a pod comes ten seconds later."""
    later = {"op": "add", "manifest": asking("later", memory=1000), "at": 20.0}
    return Simulation(
        RunInput(
            objects=[machine(count=cards), held(), asking("first", memory=1000)],
            profile="hami-2.10",
            driver="timed",
            until=30.0,
            edits=[edit(at=10.0), later],
        )
    )


@pytest.mark.parametrize(
    ("cards", "outcome", "words"),
    [(2, "scheduled", ""), (1, "unschedulable", "0/1 nodes are available: 1 node unregistered. ")],
)
def test_with_a_clock_a_card_fails_at_its_instant_and_its_pods_stay(
    cards: int, outcome: str, words: str
) -> None:
    simulation = timed(cards)
    attempts = {one.pod.name: one for one in simulation if isinstance(one, Attempt)}
    assert (attempts["first"].outcome, attempts["later"].outcome) == ("scheduled", outcome)
    assert (attempts["later"].message or "").startswith(words)
    assert "held" in {row["name"] for row in simulation.state().tables["pods"].values()}
    assert_folds_both_ways(timed(cards))


MAKERS = [
    hami.nvidia,
    hami.ascend,
    hami.dcu,
    hami.iluvatar,
    hami.metax_sgpu,
    hami.xpu,
    hami.amd,
    hami.vastai,
    hami.biren,
]


@settings(max_examples=tries(60), deadline=None)
@given(maker=st.sampled_from(MAKERS), place=st.integers(0, 1), again=st.booleans())
def test_of_every_vendor_that_registers_health_a_card_fails_alone_and_recovers_to_what_it_was(
    maker: Any, place: int, again: bool
) -> None:
    node = maker("n")
    before = json.dumps(node)
    ids = [card for card, _ in state_of(node)]
    failed = applied(node, edits=[edit(ids[place], node="n")]).objects[0]
    assert state_of(failed) == [(card, card != ids[place]) for card in ids]
    gone = applied(node, edits=[edit(ids[place], "removed", "n")]).objects[0]
    assert state_of(gone) == [(card, True) for card in ids if card != ids[place]]
    back = applied(failed, edits=[edit(ids[place], "healthy", "n")] * (1 + again)).objects[0]
    assert (state_of(back), back["status"]) == (state_of(node), node["status"])
    assert json.dumps(node) == before, "the snapshot's node is as it was"


def test_what_is_so_already_changes_nothing() -> None:
    made = applied(machine(), edits=[edit(state="healthy")])
    assert (made.results[0].changes, made.objects) == (["changes nothing"], [machine()])


# -- what is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("objects", "parts", "field", "words"),
    [
        ([machine()], {"node": "b"}, "node", "there is no Node b"),
        ([hami.node("a")], {}, "node", "a registers no cards"),
        ([machine()], {"card": "9"}, "card", "a has no card 9; it has a-gpu-0 (index 0), a-gpu-1 (index 1)"),
        ([machine()], {"card": ""}, "card", "must name a card"),
        ([machine()], {"state": "tired"}, "state", "must be one of unhealthy, healthy, removed, not"),
        ([hami.gcu("a")], {"card": "0"}, "card", "registers nothing of a single card's health"),
    ],
)
def test_a_card_that_cannot_be_meant_is_refused_by_field(
    objects: Any, parts: Any, field: str, words: str
) -> None:
    with pytest.raises(BadInput) as refused:
        applied(*objects, edits=[edit() | parts])
    [problem] = refused.value.problems
    assert (problem.field, words in problem.message) == (field, True), problem


def test_an_index_of_two_vendors_asks_for_the_uuid() -> None:
    node = machine()
    node["metadata"]["annotations"] |= hami.ascend("a")["metadata"]["annotations"]
    with pytest.raises(BadInput, match="0 is the index of several cards: give the UUID of one"):
        applied(node, edits=[edit("0")])
