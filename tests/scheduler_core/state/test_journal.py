"""The journal by itself: what is done, taken back and told, over a table and lists that are plain dicts."""

import pytest

from scheduler_core.events import changes as events
from scheduler_core.state.journal import Appear, Join, Journal, Leave, Lists, MoveAll, Set, Table, Vanish


class Rows(Table):
    """Rows of fields; the log does not have `secret`, and names `size` after the row."""

    def __init__(self, name="pods", told=True):
        self.name, self.told, self.rows = name, told, {}

    def write(self, key, field, value):
        self.rows[key][field] = value

    def insert(self, key, content):
        self.rows[key] = dict(content)

    def remove(self, key, content):
        assert self.rows.pop(key) == content

    def id_of(self, key):
        return f"uid-{key}"

    def fields(self, key, field, old, new):
        if field == "secret":
            return {}, {}
        if field == "size":
            return {f"size of {key}": old}, {f"size of {key}": new}
        return super().fields(key, field, old, new)

    def row(self, key):
        return dict(self.rows[key])


class Places(Lists):
    """Members by order, of each list."""

    def __init__(self, told=True):
        self.name, self.told, self.lists = "node_pods", told, {}

    def join(self, of, key, order):
        members = self.lists.setdefault(of, {})
        assert order not in members.values()
        members[key] = order

    def leave(self, of, key, order):
        assert self.lists[of].pop(key) == order

    def reorder(self, of, key, old, new):
        assert self.lists[of][key] == old
        self.lists[of][key] = new

    def move_all(self, of, to, by):
        self.lists.setdefault(to, {}).update({key: order + by for key, order in self.lists[of].items()})
        self.lists[of] = {}

    def move_back(self, of, to, by, first):
        moved = {key: order for key, order in self.lists[to].items() if order >= first}
        self.lists[of] = {key: order - by for key, order in moved.items()}
        for key in moved:
            del self.lists[to][key]

    def id_of(self, key):
        return f"uid-{key}"

    def of_name(self, of):
        return f"node-{of}"


class Heard:
    """Somebody who listens."""

    def __init__(self):
        self.notes = []

    def changed(self, change, sign):
        self.notes.append((type(change).__name__, sign))

    def replaced(self):
        self.notes.append("replaced")


@pytest.fixture
def journal():
    made = Journal()
    made.tells = True
    return made


@pytest.fixture
def rows():
    table = Rows()
    table.rows = {"a": {"node": "", "phase": "Pending"}, "b": {"node": ""}}
    return table


@pytest.fixture
def places():
    lists = Places()
    lists.lists = {"x": {"a": 0, "b": 1, "c": 2}}
    return lists


def test_a_field_that_is_written_twice_is_told_once_with_its_first_and_its_last_value(journal, rows):
    journal.do(Set(rows, "a", "node", "", "n1"))
    journal.do(Set(rows, "a", "node", "n1", "n2"))
    assert journal.told() == [events.Set("pods", "uid-a", {"node": ""}, {"node": "n2"})]
    journal.do(Set(rows, "a", "node", "n2", "n3"))
    assert journal.told() == [events.Set("pods", "uid-a", {"node": ""}, {"node": "n3"})]


def test_fields_of_one_row_are_told_together_and_other_rows_apart(journal, rows):
    journal.do(Set(rows, "a", "node", "", "n1"))
    journal.do(Set(rows, "a", "phase", "Pending", "Running"))
    journal.do(Set(rows, "b", "node", "", "n1"))
    journal.do(Set(rows, "a", "node", "n1", "n2"))
    assert journal.told() == [
        events.Set("pods", "uid-a", {"node": "", "phase": "Pending"}, {"node": "n1", "phase": "Running"}),
        events.Set("pods", "uid-b", {"node": ""}, {"node": "n1"}),
        events.Set("pods", "uid-a", {"node": "n1"}, {"node": "n2"}),
    ]


def test_rows_of_other_tables_are_others_though_they_share_an_id(journal, rows):
    other = Rows("nodes")
    other.rows = {"a": {"node": ""}}
    journal.do(Set(rows, "a", "node", "", "n1"))
    journal.do(Set(other, "a", "node", "", "n1"))
    assert [change.table for change in journal.told()] == ["pods", "nodes"]


def test_what_the_log_does_not_have_is_done_and_not_told(journal, rows):
    own = Rows(told=False)
    own.rows = {"a": {"node": ""}}
    places = Places(told=False)
    journal.do(Set(rows, "a", "secret", None, 1))
    journal.do(Set(own, "a", "node", "", "n1"))
    journal.do(Appear(own, "c", {"node": ""}))
    journal.do(Vanish(own, "c", {"node": ""}))
    journal.do(Join(places, "x", "a", 0))
    journal.do(MoveAll(places, "x", "y", 0, 0, 1))
    journal.do(Leave(places, "y", "a", 0))
    assert (rows.rows["a"]["secret"], own.rows["a"]["node"], places.lists) == (1, "n1", {"x": {}, "y": {}})
    assert journal.told() == []
    journal.do(Set(rows, "b", "size", 1, 2))
    assert journal.told() == [events.Set("pods", "uid-b", {"size of b": 1}, {"size of b": 2})]


def test_nothing_is_told_where_nobody_asks(rows):
    journal = Journal()
    journal.do(Set(rows, "a", "node", "", "n1"))
    journal.do(vanish := Vanish(rows, "b", {"node": ""}))
    journal.do(appear := Appear(rows, "c", {"node": ""}))
    assert journal.told() == []
    assert vanish.row is appear.row is vanish.said() is appear.said() is None


def test_a_row_that_comes_or_goes_is_told_as_it_was_with_the_change(journal, rows):
    journal.do(Appear(rows, "c", {"node": "n1"}))
    journal.do(Set(rows, "c", "node", "n1", "n2"))
    journal.do(Vanish(rows, "c", {"node": "n2"}))
    assert journal.told() == [
        events.Appear("pods", "uid-c", {"node": "n1"}),
        events.Set("pods", "uid-c", {"node": "n1"}, {"node": "n2"}),
        events.Vanish("pods", "uid-c", {"node": "n2"}),
    ]


def test_the_filler_takes_the_place_of_the_member_that_leaves(journal, places):
    journal.do(Leave(places, "x", "a", 0, ("c", 2)))
    assert places.lists == {"x": {"b": 1, "c": 0}}
    assert journal.told() == [
        events.Leave("node_pods", "node-x", "uid-a", 0, events.Filler("uid-c", 2)),
    ]
    journal.undo_to(0)
    assert places.lists == {"x": {"b": 1, "c": 2, "a": 0}}


def test_a_member_that_leaves_without_a_filler_moves_nobody(journal, places):
    journal.do(Leave(places, "x", "c", 2))
    assert places.lists == {"x": {"a": 0, "b": 1}}
    assert journal.told() == [events.Leave("node_pods", "node-x", "uid-c", 2, None)]
    journal.undo_to(0)
    assert places.lists == {"x": {"a": 0, "b": 1, "c": 2}}


def test_a_member_that_leaves_and_takes_its_place_again_has_not_moved(journal, places):
    journal.do(Leave(places, "x", "c", 2))
    journal.do(Join(places, "x", "c", 2))
    assert journal.told() == []


@pytest.mark.parametrize(
    "back",
    [("x", "c", 3), ("x", "d", 2), ("y", "c", 2)],
    ids=["another order", "another member", "elsewhere"],
)
def test_a_member_that_takes_another_place_has_moved(back, journal, places):
    journal.do(Leave(places, "x", "c", 2))
    journal.do(Join(places, *back))
    of, key, order = back
    assert journal.told() == [
        events.Leave("node_pods", "node-x", "uid-c", 2, None),
        events.Join("node_pods", f"node-{of}", f"uid-{key}", order),
    ]


def test_a_member_whose_place_another_filled_has_moved_though_it_comes_back_there(journal, places):
    journal.do(Leave(places, "x", "a", 0, ("c", 2)))
    journal.do(Leave(places, "x", "c", 0))
    journal.do(Join(places, "x", "a", 0))
    assert len(journal.told()) == 3
    filled = Leave(places, "x", "b", 1, ("a", 0))
    journal.forget()
    journal.do(filled)
    places.lists["x"]["a"] = 5  # out of the way, so that the same place can be taken
    journal.do(Join(places, "x", "b", 1))
    assert [type(change).__name__ for change in journal.told()] == ["Leave", "Join"]


def test_a_list_that_moves_as_a_whole_moves_back(journal, places):
    places.lists["y"] = {"d": 0}
    journal.do(MoveAll(places, "x", "y", 1, 1, 3))
    assert places.lists == {"x": {}, "y": {"d": 0, "a": 1, "b": 2, "c": 3}}
    assert journal.told() == [events.MoveAll("node_pods", "node-x", "node-y", 1, 1, 3)]
    journal.undo_to(0)
    assert places.lists == {"x": {"a": 0, "b": 1, "c": 2}, "y": {"d": 0}}


def test_changes_are_taken_back_in_reverse_and_made_again_in_order(journal, rows):
    before = {key: dict(row) for key, row in rows.rows.items()}
    journal.do(Set(rows, "b", "node", "", "n9"))
    mark = journal.mark()
    journal.do(Set(rows, "a", "node", "", "n1"))
    journal.do(Set(rows, "a", "node", "n1", "n2"))
    journal.do(Appear(rows, "c", {"node": ""}))
    journal.do(Vanish(rows, "b", {"node": "n9"}))
    after = {key: dict(row) for key, row in rows.rows.items()}
    assert (mark, journal.mark()) == (1, 5)
    changes = journal.take_back(mark)
    assert (len(changes), journal.mark()) == (4, mark)
    assert rows.rows == {**before, "b": {"node": "n9"}}
    for change in changes:
        journal.do(change)
    assert rows.rows == after
    assert len(journal.take_back()) == 5
    assert rows.rows == before


def test_a_member_that_joined_is_taken_out_again_by_unjoin(places):
    journal, undone = Journal(), []
    places.unjoin = lambda *place: undone.append(place)
    journal.do(Join(places, "x", "d", 3))
    journal.undo_to(0)
    assert undone == [("x", "d", 3)]
    del places.unjoin
    Join(places, "x", "d", 3).revert()
    assert "d" not in places.lists["x"]


def test_those_who_listen_hear_forwards_backwards_and_of_another_state(journal, rows):
    heard = Heard()
    journal.listen(heard)
    journal.do(Set(rows, "a", "node", "", "n1"))
    journal.do(Appear(rows, "c", {"node": ""}))
    journal.undo_to(0)
    journal.do(Set(rows, "a", "node", "", "n1"))
    journal.replace()
    assert heard.notes == [("Set", 1), ("Appear", 1), ("Appear", -1), ("Set", -1), ("Set", 1), "replaced"]
    assert (journal.mark(), journal.told()) == (0, [])


def test_rows_that_were_touched_are_named_once_each(journal, rows, places):
    other = Rows("nodes")
    other.rows = {"x": {"node": ""}}
    journal.do(Set(rows, "b", "node", "", "n1"))
    journal.do(Set(other, "x", "node", "", "n1"))
    journal.do(Leave(places, "x", "a", 0))
    journal.do(Appear(rows, "c", {"node": ""}))
    journal.do(Set(rows, "b", "node", "n1", "n2"))
    journal.do(Vanish(rows, "a", {"node": "", "phase": "Pending"}))
    assert journal.touched(rows) == ["b", "c", "a"]
    assert journal.touched(other) == ["x"]
    journal.undo_to(4)
    assert journal.touched(rows) == ["b", "c"]
    journal.do(Set(rows, "a", "node", "", "n1"))
    assert journal.touched(rows) == ["b", "c", "a"]
    journal.forget()
    assert (journal.touched(rows), journal.mark()) == ([], 0)


def test_names_are_the_keys_where_a_table_or_list_says_nothing_else():
    assert (Table().id_of(7), Lists().id_of(7), Lists().of_name(8)) == ("7", "7", "8")
    assert (Table.name, Table.told, Lists.name, Lists.told) == ("", False, "", False)
    assert Table().fields("a", "node", 1, 2) == ({"node": 1}, {"node": 2})
