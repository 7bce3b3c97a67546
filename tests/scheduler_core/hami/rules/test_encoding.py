"""Annotations of nodes and pods that are not as they should be."""

import pytest

from scheduler_core.hami.rules.encoding import (
    Unreadable,
    read_card_line,
    read_cards,
    read_mig,
    read_pod_cards,
)
from tests.scheduler_core.hami import cards
from tests.scheduler_core.hami.cards import Cluster

DEEP = '[{"id":"a","custominfo":' + '{"x":' * 50_000 + "1" + "}" * 50_000 + "}]"


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '[{"index":-1}]', '[{"count":4294967296}]', '[{"health":"yes"}]', DEEP]
)
def test_a_registration_that_cannot_be_read_is_none(text):
    with pytest.raises(Unreadable):
        read_cards(text)
    made = cards.nvidia()
    made["metadata"]["annotations"]["hami.io/node-nvidia-register"] = text
    assert Cluster(made).hami.inventory.node("n") is None


def test_what_a_registration_leaves_out_is_nothing():
    (card,) = read_cards('[{"id":"a","type":null,"unknown":1}]')
    assert (card.id, card.index, card.count, card.type, card.health) == ("a", 0, 0, "", False)
    assert read_cards("null") == ()


@pytest.mark.parametrize("text", ["a", "a:", "a,1,2,3,T,0:", "a,x,2,3,T,0,true:", "a,1,2,3,T,0,true,-1,m:"])
def test_a_line_that_cannot_be_read_is_none(text):
    with pytest.raises(Unreadable):
        read_card_line(text)


def test_a_line_has_seven_or_nine_fields():
    short, long = read_card_line("a,1,2,3,T,1,true:b,4,5,6,U,0,F,7,mig:")
    assert (short.id, short.count, short.memory, short.cores, short.type, short.numa) == (
        "a",
        1,
        2,
        3,
        "T",
        1,
    )
    assert (short.index, short.mode, short.health) == (0, "hami-core", True)
    assert (long.index, long.mode, long.health) == (7, "mig", False)


def test_empty_pieces_keep_the_places_of_containers():
    found = read_pod_cards({"k": ";a,T,1,2:b,T,3,4:;;"}, {"V": "k", "W": "absent"})
    assert [[taken.id for taken in piece] for piece in found["V"]] == [[], ["a", "b"], [], []]


@pytest.mark.parametrize("text", [
    None, "", "x", "[{}]",
    '[{"containerIndex":0,"deviceIndex":0,"gpuUUID":"g","profile":"p","placement":{"start":0,"size":0}}]',
    '[{"containerIndex":0,"deviceIndex":0,"gpuUUID":"g","profile":"p","placement":{"size":1},"migUUID":"m"}]',
])  # fmt: skip
def test_slices_that_are_not_whole_are_none(text):
    assert read_mig(text) == []
