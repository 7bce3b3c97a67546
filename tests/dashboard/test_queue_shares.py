"""The queues of a snapshot: what each holds, deserves and asks for when its own Volcano begins."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from dashboard.kinds.volcano.services.queue_shares import QueueLine, lead
from dashboard.kinds.volcano.views.queue_shares import bar_of, with_jobs
from dashboard.services.background import dispatch
from dashboard.services.workspace.why_pending import end
from tests.dashboard.rows import new_snapshot
from tests.dashboard.volcano import snapshot_of

GPU = "nvidia.com/gpu"


def line(name: str, **parts: Any) -> QueueLine:
    none_said = {"weight": 1, "guarantee": None, "capability": None}
    return QueueLine(name, **(none_said | dict.fromkeys(("deserved", "held", "wants", "waiting"), 0) | parts))


def cells_of(html: str) -> list[list[str]]:
    """The text of each cell of the table's rows, without the bars."""
    body = html.partition("<tbody>")[2].partition("</tbody>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)[:-1] for row in rows]
    return [[re.sub(r"<[^>]+>", "", cell).strip() for cell in row] for row in cells]


@pytest.mark.django_db
def test_a_queue_that_waits_and_one_above_its_share_are_said_first(client: Client, alice: Any) -> None:
    client.force_login(alice)
    snapshot = snapshot_of(alice, "queues")
    html = client.get(f"/snapshots/{snapshot.pk}/queue-shares/").text
    assert f"1 job waits; pending pods ask for 8 {GPU}." in html
    assert "research holds 8 more than it deserves; prod holds 8 less than it deserves." in html
    assert cells_of(html) == [
        ["research", "1", "none", "none", "8", "16", "2.00", "–", "–"],
        ["prod", "3", "none", "none", "8", "0", "0.00", "1", "8"],
    ]
    assert re.findall(r'aria-pressed="\w+">([^<]+)<', html) == [GPU, "cpu", "memory"], "the scarcest first"
    in_cpu = client.get(f"/snapshots/{snapshot.pk}/queue-shares/", {"resource": "cpu"}).text
    assert cells_of(in_cpu)[0] == ["research", "1", "none", "none", "32", "32", "1.00", "–", "–"]


@pytest.mark.django_db
def test_where_no_pod_names_volcano_that_is_said(client: Client, alice: Any) -> None:
    client.force_login(alice)
    snapshot = new_snapshot(alice)
    html = client.get(f"/snapshots/{snapshot.pk}/queue-shares/").text
    assert "No waiting pod names Volcano" in html


@pytest.mark.django_db
def test_queues_that_only_sum_up_their_children_are_not_counted_again(alice: Any) -> None:
    snapshot = snapshot_of(alice, "queues")
    parents = {"root": "", "team": "root", "research": "team", "prod": "research"}
    rows: Any = {name: SimpleNamespace(parent=parent) for name, parent in parents.items()}
    found = with_jobs(snapshot, rows, [line(name) for name in rows])
    assert [one.name for one in found] == ["research", "prod"], "research has jobs of its own"


@pytest.mark.django_db
def test_a_question_that_was_ended_is_not_taken_for_a_cluster_without_volcano(
    client: Client, alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(alice)
    snapshot = snapshot_of(alice, "queues")
    address = f"/snapshots/{snapshot.pk}/queue-shares/"
    monkeypatch.setattr(dispatch, "send_question", lambda pk: True)
    assert "Being computed" in client.get(address).text
    end(snapshot)
    assert "The question was ended before" in client.get(address).text


@pytest.mark.parametrize(
    ("lines", "first", "second"),
    [
        ([], f"No pending pod of a queue asks for {GPU}.", "No queue holds more than it deserves."),
        (
            [line("a", held=9, deserved=4), line("b", held=7, deserved=4), line("c", held=5, deserved=4)],
            f"No pending pod of a queue asks for {GPU}.",
            "a, b and 1 more hold 9 more than they deserve.",
        ),
        (
            [
                line("a", held=1, deserved=4, wants=2, waiting=1),
                line("b", held=1, deserved=4, wants=1, waiting=1),
            ],
            f"2 jobs wait; pending pods ask for 3 {GPU}.",
            "a and b hold 6 less than they deserve.",
        ),
    ],
)
def test_the_lead_names_the_queues_that_decide(lines: list[QueueLine], first: str, second: str) -> None:
    assert lead(lines, GPU) == (first, second)


def test_a_bar_parts_what_is_deserved_from_what_is_above_and_ends_at_the_capability() -> None:
    bar = bar_of(line("a", held=12, deserved=8, capability=16, guarantee=4), 20)
    assert bar == (40.0, 20.0, 40.0, 20.0, 80.0, True)
    assert bar_of(line("a", held=None, deserved=None), 20) == (0.0, 0.0, None, None, 100.0, False)
