"""Volcano's queues and jobs on the left, an open statement on the map, and the card of a queue or a job."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.pages import opened
from tests.browser.volcano_clusters import VolcanoRuns

Check = Callable[[Page], None]
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
TRIED, REFUSED, BACK, PASSED_OVER = 5, 6, 7, 8
"""In `statements()` sweep-0 is tried, sweep-1 fits nowhere, sweep-0 is taken back, later-0 is passed over."""
RECLAIMED, COMMITTED, SECOND_SESSION = 17, 27, 20
"""Decisions of the sample of two queues: a sixth pod is promised room, the gang is bound, a session opens."""


@pytest.fixture
def statement(volcano_runs: VolcanoRuns) -> int:
    """A run whose first statement is taken back."""
    return volcano_runs["statement"]


@pytest.fixture
def queues(volcano_runs: VolcanoRuns) -> int:
    """The run of the sample in which one queue reclaims from another."""
    return volcano_runs["queues"]


def queue(page: Page, name: str) -> Locator:
    """A queue's row on the left."""
    return page.locator(f'.volcano-queues [data-key="queue {name}"]')


def job(page: Page, name: str) -> Locator:
    """A job's row on the left."""
    return page.locator(f'.volcano-jobs [data-key="job {name}"]')


def fates(page: Page) -> dict[str, str]:
    """What the map draws of an open statement: fate by pod."""
    return page.evaluate(
        """() => Object.fromEntries(
            [...sandtable.map.marks.fates].map(([pod, fate]) => [sandtable.fold.pods[pod].name, fate]))"""
    )


def test_queues_stand_in_order_with_what_they_have_and_deserve(
    page: Page, queues: int, assert_accessible: Check
) -> None:
    opened(page, queues, f"?at={RECLAIMED}")
    rows = page.locator(".volcano-queues .volcano-queue")
    expect(rows).to_contain_text(["prod", "research"])
    expect(queue(page, "prod")).to_contain_text("0 of 8")
    expect(queue(page, "prod")).to_contain_text("8 under, 6 pipelined")
    expect(queue(page, "prod")).to_contain_text("weight 3")
    expect(queue(page, "research")).to_contain_text("10 of 8")
    expect(queue(page, "research")).to_contain_text("2 over")
    bar = queue(page, "prod").get_by_role("img")
    expect(bar).to_have_attribute("aria-label", "0 allocated, 6 tried, deserves 8")
    assert_accessible(page)
    page.get_by_label("resource of the bars").select_option("cpu")
    expect(queue(page, "research")).to_contain_text("20 of")
    expect(page.locator('[data-part="resource"]')).to_have_value("cpu")


def test_jobs_of_the_queue_at_hand_stand_in_order_and_the_others_are_folded(
    page: Page, statement: int
) -> None:
    opened(page, statement, f"?at={PASSED_OVER}")
    jobs = page.get_by_label("jobs of batch, in order")
    expect(jobs.locator(".volcano-job")).to_contain_text(["shop/later", "shop/etl"])
    expect(jobs).to_contain_text("↑ by gang, not ready before ready")
    expect(queue(page, "batch")).to_contain_text("1 over: gets nothing")
    other = page.locator('[data-key="other research"]')
    expect(other).to_have_attribute("aria-expanded", "false")
    other.focus()
    page.keyboard.press("Enter")
    expect(other).to_have_attribute("aria-expanded", "true")
    expect(other).to_be_focused()
    expect(job(page, "shop/sweep")).to_contain_text("0 of 2 needed, 1 fits nowhere")


def test_a_statement_is_open_then_taken_back_and_then_gone_from_the_map(page: Page, statement: int) -> None:
    opened(page, statement, f"?at={TRIED}")
    expect(job(page, "shop/sweep")).to_contain_text("1 of 2 needed, 1 open")
    assert fates(page) == {"sweep-0": "open"}
    expect(page.locator(".legend")).to_contain_text("open statement")
    page.get_by_role("button", name="table", exact=True).click()
    expect(page.locator(".map-table")).to_contain_text("open: shop/sweep-0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".map-table")).to_contain_text("taken back: shop/sweep-0")
    assert fates(page) == {"sweep-0": "back"}
    expect(queue(page, "research")).to_contain_text("1 taken back")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".map-table")).not_to_contain_text("sweep-0")
    assert fates(page) == {}


def test_victims_and_who_waits_for_their_room_then_who_is_committed(page: Page, queues: int) -> None:
    opened(page, queues, f"?at={RECLAIMED}")
    drawn = fates(page)
    assert sorted(name for name, fate in drawn.items() if fate == "pipelined") == [
        f"rank-worker-{number}" for number in range(6)
    ]
    assert sum(fate == "victim" for fate in drawn.values()) == 6
    opened(page, queues, f"?at={COMMITTED}")
    assert set(fates(page).values()) == {"committed"}
    expect(job(page, "ml/rank")).to_contain_text("6 of 6 needed, 6 committed")


def test_a_press_on_a_queue_opens_its_card_which_the_address_holds(
    page: Page, queues: int, assert_accessible: Check
) -> None:
    opened(page, queues, f"?at={RECLAIMED}")
    queue(page, "research").click()
    card = page.get_by_role("region", name="queue research")
    expect(card).to_contain_text("Holds 10 of 8 gpu that it deserves: 2 over.")
    expect(card).to_contain_text("may reclaim what is over")
    expect(page).to_have_url(re.compile("card=queue%2Fresearch"))
    expect(card.get_by_role("row", name="nvidia.com/gpu")).to_contain_text("8")
    assert_accessible(page)
    card.get_by_role("tab", name="Jobs").click()
    card.get_by_role("button", name="ml/sweep").click()
    card = page.get_by_role("region", name="job ml/sweep")
    expect(card).to_contain_text("job in")
    card.get_by_role("tab", name="Raw").click()
    expect(card.locator("pre")).to_contain_text('"queue": "research"')
    expect(page).to_have_url(re.compile("card=group%2Fml%2Fsweep"))
    page.reload()
    expect(page.get_by_role("region", name="job ml/sweep")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".object-card")).to_be_hidden()
    expect(page.get_by_role("tablist", name="What the decision rests on")).to_be_visible()


def test_the_sessions_of_a_job_lead_to_their_decisions(page: Page, queues: int) -> None:
    opened(page, queues, f"?at={SECOND_SESSION}&card=group/ml/rank")
    card = page.get_by_role("region", name="job ml/rank")
    card.get_by_role("tab", name="Sessions").click()
    row = card.get_by_role("row", name="2 allocated")
    expect(row).to_have_attribute("aria-current", "true")
    row.get_by_role("button", name="committed").click()
    expect(page.get_by_label("decision", exact=True).first).to_be_visible()
    expect(page.locator('[data-part="at"]')).to_have_value(str(COMMITTED))


def test_shares_over_the_sessions_are_drawn_and_said(page: Page, queues: int) -> None:
    opened(page, queues, f"?at={COMMITTED}")
    chart = page.locator(".volcano-shares svg")
    expect(chart).to_have_attribute(
        "aria-label", "Dominant shares after 3 sessions: ml/rank 0.38, ml/sweep 0.63"
    )
    chart.get_by_text("sweep").click()
    expect(page.get_by_role("region", name="job ml/sweep")).to_be_visible()


def test_blocks_are_coloured_by_queue_or_by_priority(page: Page, queues: int) -> None:
    opened(page, queues, f"?at={COMMITTED}")
    expect(page.locator(".legend .key-group")).to_have_text("queuedefaultprodresearchroot")
    page.get_by_label("coloured by").select_option("priority")
    expect(page.locator(".legend .key-group")).to_have_text("priority0")


def test_on_a_phone_queues_are_readable_below_the_map(
    page_of: Callable[..., Page], queues: int, assert_accessible: Check
) -> None:
    page = opened(page_of("alice", **PHONE), queues, f"?at={RECLAIMED}&card=queue/prod")
    expect(page.get_by_role("region", name="queue prod")).to_be_visible()
    queue(page, "research").scroll_into_view_if_needed()
    expect(queue(page, "research")).to_contain_text("2 over")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert_accessible(page)
