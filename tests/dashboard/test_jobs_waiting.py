"""The jobs that wait at a run's end, by kind, and what their pages say of why."""

from typing import Any

import pytest
import yaml
from django.test import Client

from dashboard.answers.answer import Table
from dashboard.answers.ended_run import EndedRun
from dashboard.answers.jobs_waiting import jobs_waiting
from dashboard.answers.printers.words import plain
from dashboard.models import Run
from dashboard.services.results.run_answers import answer_of
from tests.dashboard.volcano import finished, runs_of, snapshot_of

pytestmark = pytest.mark.django_db

_LARGE = yaml.safe_load("""
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: large, namespace: ml}
spec:
  schedulerName: volcano
  queue: default
  minAvailable: 8
  tasks:
  - name: worker
    replicas: 8
    template:
      spec:
        restartPolicy: Never
        containers:
        - {name: main, image: train, resources: {requests: {cpu: "4"}}}
""")
_REFUSED = (
    "Its job may not enter its queue: overcommit allows 38.4 cpu, 18 held, 0 promised; it asks for 32, "
    "11.6 too much."
)


@pytest.fixture
def run(alice: Any) -> Run:
    """A run in which a Job of 18 cpu starts, on nodes with 32, and one of 32 is refused at enqueue."""
    edits = [{"op": "add", "manifest": _LARGE}]
    return finished(
        snapshot_of(alice, "restart"), profile="volcano-1.16", driver="timed", until=5, edits=edits
    )


def tables(run: Run) -> dict[str, Table]:
    answer = answer_of(run)
    assert answer is not None
    return {table.name: table for table in answer.tables}


def cells(table: Table) -> list[list[str]]:
    return [[plain(cell) for cell in row] for row in table.rows]


def test_a_job_without_pods_as_yet_is_among_those_that_wait(run: Run) -> None:
    found = tables(run)
    assert plain(found["jobs-waiting"].says) == "1 job waits: for admission to a queue."
    assert cells(found["jobs-waiting"]) == [["Refused at enqueue", "1", f"ml/large: {_REFUSED}"]]
    [[job, queue, pods, asks, why, decision]] = cells(found["jobs-refused"])
    assert (job, queue, pods, why) == ("ml/large", "default", "8, to be made", _REFUSED)
    assert asks == "32 cpu"
    [group] = [row for row in run.outcome["by_group"] if row["phase"] == "Pending"]
    assert decision == f"decision {group['seq']}"


def test_the_outcome_leads_to_the_job_and_its_pages_say_why_it_waits(
    run: Run, alice: Any, client: Client
) -> None:
    client.force_login(alice)
    [group] = [row["group"] for row in run.outcome["by_group"] if row["phase"] == "Pending"]
    page = client.get(f"/runs/{run.pk}/outcome/").text
    assert f'href="/runs/{run.pk}/jobs/ml/large/"' in page
    assert 'href="#jobs-refused"' in page
    assert '<div id="jobs-refused">' in page
    assert "<summary>Refused at enqueue: 1 job</summary>" in page
    rows = client.get(f"/runs/{run.pk}/outcome/?table=jobs-waiting&format=csv").text.splitlines()
    assert rows[1].startswith("Refused at enqueue,ml/large,ml/large-")
    for address in (f"groups/{group}/", "jobs/ml/large/"):
        page = client.get(f"/runs/{run.pk}/{address}").text
        assert "11.6 too much" in page
        assert 'aria-label="cpu: 18 held, 0 promised, 32 asked, of 38.4 allowed"' in page
        assert "What would let it start" not in page, "it isn't in the snapshot"


def test_a_group_without_a_job_is_reached_by_the_name_of_a_job(alice: Any, client: Client) -> None:
    waits = runs_of(alice, "gang")[0]
    client.force_login(alice)
    [row] = cells(
        next(table for name, table in tables(waits).items() if name.startswith("jobs-") and table.folds)
    )
    page = client.get(f"/runs/{waits.pk}/jobs/{row[0]}/", follow=True)
    assert page.redirect_chain == [(f"/runs/{waits.pk}/groups/{row[0]}/", 302)]
    assert "What would make it fit?" in page.text


def _row(group: str, **other: Any) -> dict[str, Any]:
    return {
        "group": group,
        "queue": "q",
        "phase": "Pending",
        "min_member": 2,
        "running": 0,
        "deleted": False,
        **other,
    }


def _why(group: str, kind: str, pods: int, **cause: Any) -> dict[str, Any]:
    return {
        "cause": {"kind": kind, **cause}, "workloads": {f"PodGroup/{group}": pods}, "uid": "u", "seq": 3,
        "group": group,
    }  # fmt: skip


def _sum(asked: float) -> list[dict[str, Any]]:
    return [{"resource": "cpu", "unit": "", "allowed": 10, "held": 8, "promised": 0, "asked": asked}]


def _asked(**figures: Any) -> EndedRun:
    return EndedRun(7, 2, "finished", 10, [], [], None, figures)  # type: ignore[arg-type]


def test_kinds_come_in_the_order_of_a_session_and_say_which_job_is_nearest() -> None:
    groups = [_row("ml/a"), _row("ml/b"), _row("ml/c"), _row("ml/d"), _row("ml/done", running=2)]
    whys = [
        _why("ml/a", "gang", 2, reason="too few"),
        _why("ml/b", "refused", 4, plugin="overcommit", sums=_sum(9)),
        _why("ml/c", "refused", 3, plugin="overcommit", sums=_sum(3)),
        _why("ml/d", "pre_filter", 1, reason="no such node"),
        _why("ml/d", "fits", 3, chosen="n1"),
        _why("ml/done", "nodes", 5),
    ]
    head, *kinds = jobs_waiting(_asked(by_group=groups, whys=whys))
    assert (
        plain(head.says) == "4 jobs wait: 2 for admission to a queue, 1 for a node, 1 for the rest of a gang."
    )
    assert [table.name for table in kinds] == ["jobs-refused", "jobs-nodes", "jobs-gang"]
    assert plain(head.rows[0][2]).endswith("The nearest is ml/c: 1 too many cpu.")
    assert cells(kinds[1])[0][:3] == ["ml/d", "q", "4"], "of its pods those speak that nothing has room for"


def test_jobs_that_wait_alike_share_a_row_which_names_them() -> None:
    names = [f"ml/j{place:03}" for place in range(120)]
    groups = [_row(name, seq=place) for place, name in enumerate(names, start=1)] + [
        _row("ml/other", seq=200)
    ]
    whys = [_why(name, "refused", 4, plugin="overcommit", sums=_sum(9)) for name in [*names, "ml/other"]]
    whys[-1]["cause"]["sums"] = _sum(3)
    head, table = jobs_waiting(_asked(by_group=groups, whys=whys))
    assert plain(head.says) == "121 jobs wait: all for admission to a queue."
    assert (plain(table.says), len(table.rows), table.others) == ("121 jobs", 2, 0)
    job, queue, pods, _, why, decisions = cells(table)[0]
    assert job.startswith("120 jobs: ml/j000, ml/j001, ")
    assert job.endswith("ml/j019 and 100 others")
    assert (queue, pods, decisions) == ("q", "4 each", "decision 1 to decision 120")
    assert why.startswith("Its job may not enter its queue: ")
    assert cells(table)[1][0] == "ml/other"


def test_runs_that_were_recorded_without_groups_of_causes_have_no_such_list() -> None:
    old = {**_why("ml/a", "gang", 2)}
    del old["group"]
    assert jobs_waiting(_asked(by_group=[_row("ml/a")], whys=[old])) == []
    assert jobs_waiting(_asked()) == []
