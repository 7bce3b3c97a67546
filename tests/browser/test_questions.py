"""Questions of operators, each from the snapshot's page to the answer in a sentence, in so many clicks."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from benchmarks.operators.__main__ import text_of
from benchmarks.operators.cloud import EKS, cloud_cluster
from tests.browser.clusters import import_by_rest
from tests.browser.pages import Hand
from tests.browser.volcano_clusters import VolcanoRuns
from tests.fixtures.browser import ACTION_MILLISECONDS
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]
PLAYED = 2 * ACTION_MILLISECONDS
"""So long a run and the one without its edits may take on a busy machine, in milliseconds."""
RANKER = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: ranker, namespace: pricing}
spec:
  replicas: 40
  selector: {matchLabels: {app: ranker}}
  template:
    metadata: {labels: {app: ranker}}
    spec:
      priorityClassName: production
      containers:
      - name: main
        image: registry.example.com/ranker:1
        resources: {requests: {cpu: "3", memory: 4Gi}, limits: {memory: 8Gi}}
"""


@pytest.fixture(scope="module")
def cloud(live_stack: Stack) -> int:
    """Forty nodes of a cloud in pools and zones, 800 pods, of which 141 wait."""
    return import_by_rest(live_stack, "cloud-40", text_of(cloud_cluster("1", EKS, 40, 800)))


def answered(page: Page, hand: Hand) -> None:
    """Run what the editor holds, and open its outcome when it has ended."""
    expect(page.locator("[data-verdict]")).not_to_have_text("")
    hand.press(page.get_by_role("button", name="Run", exact=True))
    page.wait_for_url("**/runs/*/")
    expect(page.locator("[data-part=live].finished")).to_be_visible(timeout=PLAYED)
    hand.press(page.get_by_role("link", name="Outcome"))


def test_whether_forty_replicas_fit_and_what_pays_for_them(
    page: Page, live_stack: Stack, cloud: int, assert_accessible: Check
) -> None:
    hand = Hand()
    page.goto(f"/snapshots/{cloud}/")
    hand.press(page.get_by_role("button", name="New scenario"))
    hand.press(page.get_by_role("button", name="Add pods or objects"))
    page.locator(".edit textarea").first.fill(RANKER)
    expect(page.locator(".edit-sentence")).to_have_text("Add Deployment pricing/ranker: 40 pods")
    answered(page, hand)
    expect(page.locator(".outcome-say")).to_have_text(
        "pricing/ranker: 40 of 40 fit; 27 more pods are pending because of it.", timeout=PLAYED
    )
    expect(page.locator("#answer")).to_contain_text(
        "36 in free room and 4 by evicting catalog/catalog-worker ×2 and media/media-api ×2"
    )
    assert_accessible(page)
    assert hand.clicks <= 4


def test_what_a_group_of_nodes_is_good_for(page: Page, live_stack: Stack, cloud: int) -> None:
    hand = Hand()
    page.goto(f"/snapshots/{cloud}/")
    hand.press(page.get_by_role("button", name="New scenario"))
    hand.press(page.get_by_role("button", name="Node group"))
    page.get_by_label("Names begin with").fill("extra-")
    page.get_by_label("How many").fill("6")
    page.get_by_label("Or of this size").fill("cpu=16, memory=64Gi")
    page.get_by_label("Over these zones").fill("eu-central-1a eu-central-1b")
    expect(page.locator(".edit-sentence")).to_have_text("Add 6 nodes in 2 zones (extra-1 … extra-6)")
    answered(page, hand)
    expect(page.locator(".outcome-say")).to_have_text(
        "6 nodes extra-…: 12 pods go there, 111 wait without them; nothing more is pending because of it.",
        timeout=PLAYED,
    )
    assert hand.clicks <= 4


def test_why_a_job_of_volcano_is_pending(page: Page, live_stack: Stack, assert_accessible: Check) -> None:
    hand = Hand()
    page.goto(f"/snapshots/{VolcanoRuns(live_stack).snapshot('queues')}/")
    hand.press(page.get_by_role("link", name="Pod groups"))
    hand.press(page.get_by_role("row").filter(has_text="prod").get_by_role("link", name="Why?"))
    expect(page.locator(".why-say")).to_contain_text(
        "Its job may not enter its queue: overcommit allows 19.2 nvidia.com/gpu, 16 held, 0 promised; "
        "it asks for 6, 2.8 too many."
    )
    assert_accessible(page)
    assert hand.clicks <= 2


def test_what_a_greater_weight_of_a_queue_changes(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    hand = Hand()
    page.goto(f"/snapshots/{VolcanoRuns(live_stack).snapshot('queues')}/")
    hand.press(page.get_by_role("link", name="Queues"))
    expect(page.locator("#queue-shares")).to_contain_text(
        "research holds 8 more than it deserves; prod holds 8 less than it deserves."
    )
    assert_accessible(page)
    hand.press(page.get_by_role("button", name="Change queue prod and run"))
    page.get_by_label("Weight").fill("6")
    expect(page.locator(".edit-sentence")).to_have_text("Queue prod: weight 3 → 6")
    answered(page, hand)
    expect(page.locator(".outcome-say")).to_have_text(
        "Queue prod: weight 3 → 6: no effect, prod asks for 8 pods and has 0; "
        "nothing more is pending because of it.",
        timeout=PLAYED,
    )
    assert hand.clicks <= 4
