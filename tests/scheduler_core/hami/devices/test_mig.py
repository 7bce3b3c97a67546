"""Where slices of a card in MIG mode are placed, profile by profile."""

import pytest

from scheduler_core.hami.devices.mig import choose_slice
from scheduler_core.hami.rules.cards import MigPlacement, MigProfile
from scheduler_core.schedulers.card_tables import MigSlice


def profile(name, memory, slices, *starts):
    return MigProfile(name, memory, 0, slices, tuple(MigPlacement(start, slices) for start in starts))


PROFILES = (
    profile("1g.5gb", 4864, 1, 0, 1, 2, 3, 4, 5, 6),
    profile("2g.10gb", 9856, 2, 0, 2, 4),
    profile("3g.20gb", 19968, 4, 0, 4),
)


@pytest.mark.parametrize(
    ("memory", "name", "start"), [(4000, "1g.5gb", 6), (9000, "2g.10gb", 0), (19_968, "3g.20gb", 4)]
)
def test_slices_of_one_and_three_are_placed_from_above_and_others_from_below(memory, name, start):
    chosen, place = choose_slice(PROFILES, [], memory)
    assert (chosen.name, place.start) == (name, start)


def test_the_second_slice_of_three_takes_the_place_below():
    _, place = choose_slice(PROFILES, [MigSlice("3g.20gb", 4, 4)], 19_968)
    assert place == MigSlice("3g.20gb", 0, 4)


def test_a_profile_without_a_free_place_is_passed_over_for_the_next():
    taken = [MigSlice("2g.10gb", start, 2) for start in (0, 2, 4)]
    assert choose_slice(PROFILES, taken, 9000) is None
    chosen, _ = choose_slice(PROFILES, taken[:1], 9000)
    assert chosen.name == "2g.10gb"
