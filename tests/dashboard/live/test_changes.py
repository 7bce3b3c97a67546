"""A cluster, read by what has changed since a reading before."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dashboard.live.api_server import ApiServer, connect
from dashboard.live.changes import Changes, read_changes
from dashboard.live.reading import Known, read_cluster
from dashboard.live.resources import resources_of
from scheduler_core.objects.kinds import NODE, POD
from tests.api_server import FakeApiServer, api_server
from tests.builders import node, pod

KINDS = {NODE, POD}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[FakeApiServer]:
    with api_server([node("n1"), pod("a", on="n1"), pod("b")], tmp_path) as running:
        yield running


def _changes(server: FakeApiServer, known: Known) -> Changes | None:
    asked = _of(server)
    return read_changes(asked, resources_of(asked), known, KINDS)


def _of(server: FakeApiServer) -> ApiServer:
    return connect("", str(server.kubeconfig))


def _known(server: FakeApiServer) -> Known:
    asked = _of(server)
    return read_cluster(asked, resources_of(asked)).known


def _files(found: Changes | None) -> dict[str, Any]:
    assert found is not None
    return {name: msgspec.json.decode(text) for name, text in found.reading.payloads}


def test_what_changed_up_to_the_moment_is_read(server: FakeApiServer) -> None:
    known = _known(server)
    assert known.versions["pods"] == "7"
    server.change("MODIFIED", pod("a", on="n1"))
    server.change("DELETED", pod("b"))
    found = _changes(server, known)
    assert found is not None
    assert found.touched == {(POD, "default", "a"), (POD, "default", "b")}
    assert (found.anew, found.reading.notes) == (frozenset(), [])
    assert [one["metadata"]["name"] for one in _files(found)["pods-changed.json"]["items"]] == ["a"]
    assert "nodes-changed.json" not in _files(found)
    assert set(found.reading.known.versions.values()) == {"9"}
    assert "Pod" in _files(found)["whole-lists.json"]["kinds"]
    again = _changes(server, found.reading.known)
    assert again is not None
    assert again.touched == frozenset()


def test_what_comes_later_than_the_moment_is_left_to_the_next_reading(
    server: FakeApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = _known(server)
    monkeypatch.setattr("dashboard.live.changes.moment_of", lambda *asked: "8")
    server.change("ADDED", pod("c"))
    server.change("ADDED", pod("d"))
    found = _changes(server, known)
    assert found is not None
    assert found.touched == {(POD, "default", "c")}
    assert found.reading.known.versions["pods"] == "8"
    monkeypatch.undo()
    later = _changes(server, found.reading.known)
    assert later is not None
    assert later.touched == {(POD, "default", "d")}


def test_a_kind_without_a_sign_is_told_with_its_bounds(server: FakeApiServer) -> None:
    known = _known(server)
    server.bookmarks = False
    server.change("ADDED", pod("c"))
    found = _changes(server, known)
    assert found is not None
    [note] = found.reading.notes
    assert note.startswith(
        "As of a resource version between 7 and 8, each as of the newest event or bookmark"
    )
    assert "nodes" in note
    assert " pods" not in note, "an event at the moment is a sign"
    assert found.reading.known.versions["nodes"] == "7"


def test_what_is_forgotten_or_may_not_be_watched_is_listed(server: FakeApiServer) -> None:
    known = _known(server)
    server.change("ADDED", pod("c"))
    server.oldest = 8
    found = _changes(server, known)
    assert found is not None
    assert found.anew == KINDS
    assert len(_files(found)["pods-0.json"]["items"]) == 3
    assert found.reading.known.versions["pods"] == "8"
    server.oldest, server.watches = 0, False
    found = _changes(server, known)
    assert found is not None
    assert (found.anew, found.reading.notes) == (KINDS, [])


def test_an_older_state_of_a_store_and_other_versions_are_no_base(server: FakeApiServer) -> None:
    known = _known(server)
    server.version = 3
    assert _changes(server, known) is None
    assert _changes(server, Known({}, frozenset())) is None
    assert _changes(server, Known({"pods": "abc"}, frozenset())) is None


def test_kinds_that_are_not_listed_any_more_are_left_out_and_told(server: FakeApiServer) -> None:
    known = _known(server)
    server.forbidden = {"priorityclasses"}
    found = _changes(server, known)
    assert found is not None
    assert found.reading.notes == [
        "Left out, since this account may not read them: priorityclasses.scheduling.k8s.io."
    ]
    assert "priorityclasses.scheduling.k8s.io" not in found.reading.known.versions
