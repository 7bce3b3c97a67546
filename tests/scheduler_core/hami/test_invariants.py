"""What must hold of HAMi whatever the cards and the lives of the pods on them."""

import copy

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scheduler_core.hami.extender.extender import Hami
from scheduler_core.hami.rules.charging import count_usage
from tests.portions import tries
from tests.scheduler_core.hami.cards import NOW, Cluster
from tests.scheduler_core.hami.lives import clusters, happen, steps

examples = settings(max_examples=tries(30), suppress_health_check=list(HealthCheck))


def lives(data):
    nodes, names = data.draw(clusters())
    return Cluster(*nodes), data.draw(steps(names))


def everything(cluster):
    return copy.deepcopy({"hami": cluster.hami.dump(), "objects": cluster.objects.dump()})


def usages(hami):
    return {name: hami.inventory.usage(name) for name in hami.inventory.nodes()}


@examples
@given(st.data())
def test_no_card_ever_gives_more_than_it_has(data):
    cluster, happens = lives(data)
    for step in happens:
        happen(cluster, step)
        for row in cluster.hami.inventory.cards.rows.values():
            assert row.used <= row.slots, row
            assert row.used_memory <= row.memory, row
            shares = 100 if row.vendor.startswith("Ascend") else row.cores  # softly shared ones give percent
            assert row.used_cores <= max(row.cores, shares), row


@examples
@given(st.data())
def test_whatever_happened_can_be_undone_step_by_step(data):
    cluster, happens = lives(data)
    before = []
    for step in happens:
        before.append((cluster.journal.mark(), everything(cluster), usages(cluster.hami)))
        happen(cluster, step)
    for mark, known, used in reversed(before):
        cluster.journal.undo_to(mark)
        assert everything(cluster) == known
        assert usages(cluster.hami) == used


@examples
@given(st.data())
def test_after_an_undo_the_same_is_decided_again(data):
    cluster, happens = lives(data)
    mark = cluster.journal.mark()
    first = [happen(cluster, step) for step in happens]
    cluster.journal.undo_to(mark)
    assert [happen(cluster, step) for step in happens] == first


@examples
@given(st.data())
def test_the_log_tells_the_tables_forwards_and_backwards(data):
    cluster, happens = lives(data)
    hami = cluster.hami
    cluster.journal.forget()
    begin = tables(hami)
    for step in happens:
        happen(cluster, step)
    told = cluster.journal.told()
    found = copy.deepcopy(begin)
    for change in told:
        carry_out(found, change)
    assert found == tables(hami)
    for change in reversed(told):
        carry_out(found, change, back=True)
    assert found == begin


def tables(hami):
    inventory = hami.inventory
    return copy.deepcopy({"cards": inventory.cards.told_rows(), "holdings": inventory.holdings.told_rows()})


def carry_out(tables, change, back=False):
    """Carry out a change of the log, or take it back."""
    rows, verb = tables[change.table], type(change).__name__
    if verb == "Set":
        rows[change.id] |= change.old if back else change.new
    elif (verb == "Appear") is not back:
        rows[change.id] = dict(change.row)
    else:
        assert rows.pop(change.id) == change.row


@examples
@given(st.data())
def test_a_scheduler_that_is_read_from_a_checkpoint_goes_on_the_same(data):
    cluster, happens = lives(data)
    stop = data.draw(st.integers(0, len(happens)))
    for step in happens[:stop]:
        happen(cluster, step)
    other = Cluster()
    other.objects.load(everything(cluster)["objects"])
    other.hami = Hami(other.journal, cluster.hami.configuration, other.objects, lambda: NOW)
    other.hami.load(everything(cluster)["hami"])
    assert usages(other.hami) == usages(cluster.hami)
    assert [happen(other, step) for step in happens[stop:]] == [
        happen(cluster, step) for step in happens[stop:]
    ]
    assert everything(other) == everything(cluster)


@examples
@given(st.data())
def test_answers_that_are_kept_or_shared_are_those_of_each_node_looked_at_anew(data):
    cluster, happens = lives(data)
    for step in happens:
        previews = {}
        if step[0] == "place" and (answer := cluster.hami.webhook(step[1])).allowed:
            previews = {name: cluster.hami.preview(answer.pod, name) for name in cluster.names}
        found = happen(cluster, step)
        if previews and found.reasons | found.scores:
            assert found.reasons == {n: one.reason for n, one in previews.items() if one.devices is None}
            assert found.scores == {n: one.score for n, one in previews.items() if one.devices is not None}
        if previews and found.chosen:
            given = previews[found.chosen].devices
            assert found.devices == {key: given[key] for key in given if key in cluster.hami.vendors}


@examples
@given(st.data())
def test_what_a_pod_was_given_is_read_again_from_its_annotations(data):
    """A scheduler that starts anew counts the same as the one that placed the pods.

    Not where a pod was filtered again: if there is no node for it then, its old annotations stay.
    """
    cluster, happens = lives(data)
    for step in happens:
        if step[0] != "again":
            happen(cluster, step)
    again = Cluster()
    again.hami = Hami(again.journal, cluster.hami.configuration, cluster.objects, lambda: NOW)
    again.hami.inventory.load(cluster.hami.inventory.dump() | {"holdings": {}, "cards": {}})
    for stored in cluster.objects.pods():
        again.hami.pod_added(stored)
        again.hami.pod_updated(stored)
    assert usages(again.hami) == usages(cluster.hami)


@examples
@given(st.data())
def test_what_is_used_is_counted_pod_by_pod_as_all_at_once(data):
    cluster, happens = lives(data)
    inventory = cluster.hami.inventory
    for step in happens:
        happen(cluster, step)
        for name, registered in inventory.nodes().items():
            held = [row for row in inventory.holdings.rows.values() if row.node == name]
            assert inventory.usage(name) == count_usage(registered.cards, held)
