"""The queues of a snapshot: what each holds, deserves and asks for when its own Volcano begins."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from dashboard.kinds.volcano.services.queue_shares import QueueLine, lead, resources_of, with_jobs
from dashboard.kinds.volcano.views.queue_shares import bar_of
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


def test_queues_that_only_sum_up_their_children_are_not_counted_again() -> None:
    def row(parent: str, **request: float) -> Any:
        return SimpleNamespace(parent=parent, request=request)

    rows = {"root": row("", a=9, b=6), "team": row("root", a=9, b=6), "research": row("team", a=9)}
    rows["prod"] = row("research", b=6)
    own = with_jobs(rows, {"research": {"Running": 1}})
    assert list(own) == ["research", "prod"], "research has jobs of its own"
    whole = {"a": 10, "b": 6}
    assert resources_of(own.values(), whole) == ["b", "a"]
    rows["apart"] = row("team", a=4)
    assert resources_of(with_jobs(rows, {"research": {}}).values(), whole) == ["a", "b"]


@pytest.mark.django_db
def test_rest_and_a_file_say_what_the_page_says_of_all_resources(client: Client, alice: Any) -> None:
    client.force_login(alice)
    snapshot = snapshot_of(alice, "queues")
    told = client.get(f"/api/v1/snapshots/{snapshot.pk}/queues/").json()
    assert (told["state"], told["why_none"]) == ("answered", "")
    assert [one["resource"] for one in told["results"]] == [GPU, "cpu", "memory"]
    first = told["results"][0]
    html = client.get(f"/snapshots/{snapshot.pk}/queue-shares/").text
    assert all(f"{part}." in html for part in first["lead"].split(".")[:2])
    assert first["queues"][1] == {
        "queue": "prod", "weight": 3, "guarantee": None, "capability": None, "deserved": 8.0, "held": 0.0,
        "share": 0.0, "jobs_waiting": 1, "asked": 8.0,
    }  # fmt: skip
    lines = client.get(f"/snapshots/{snapshot.pk}/queue-shares/", {"format": "csv"}).text.splitlines()
    assert lines[:3] == [
        "queue,weight,resource,guarantee,capability,deserved,held,share,jobs_waiting,asked",
        f"research,1,{GPU},,,8,16,2.0,0,0.0",
        f"prod,3,{GPU},,,8,0,0.0,1,8",
    ]
    assert len(lines) == 7


@pytest.mark.django_db
def test_a_question_that_was_ended_is_not_taken_for_a_cluster_without_volcano(
    client: Client, alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(alice)
    snapshot = snapshot_of(alice, "queues")
    address = f"/snapshots/{snapshot.pk}/queue-shares/"
    with monkeypatch.context() as patched:
        patched.setattr(dispatch, "send_question", lambda pk: True)
        assert "Being computed" in client.get(address).text
    end(snapshot)
    ended = client.get(address).text
    assert "The question was ended before" in ended
    assert "No waiting pod" not in ended
    page = client.get(f"/snapshots/{snapshot.pk}/").text
    assert "Nothing waits" not in page
    assert "It was ended before any pod was asked about." in page
    assert "Ask about the others" in page
    assert client.get(f"/api/v1/snapshots/{snapshot.pk}/queues/").json()["results"] == []
    again = re.search(r'hx-get="([^"]+)"[^>]*>Ask again<', ended)
    assert again, "it can be asked again where it was ended"
    assert "research holds 8 more" in client.get(again[1]).text


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
    bar = bar_of(line("a", held=12, deserved=8, capability=16, guarantee=4), 20, 20)
    assert bar == (40.0, 20.0, 40.0, 20.0, 80.0, True, 0.0)
    promised = bar_of(line("a", held=12, deserved=8, promised=4), 20, 20)
    assert (promised.promised, promised.promised_at) == (20.0, 60.0), "it stands behind all that is held"
    assert bar_of(line("a", held=None, deserved=None), 20, 16) == (0.0, 0.0, None, None, 80.0, False, 0.0)
