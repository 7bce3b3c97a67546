"""Two runs side by side, the questions of operators: how few clicks lead to which sentence."""

import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Locator, Page, expect

from benchmarks.operators.cloud import EKS, cloud_cluster
from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.hami_clusters import A100, asking, machine
from tests.dashboard.rows import listing
from tests.dashboard.test_compared_answers import pod, scoring
from tests.fixtures.stack import Stack, wait_until

Check = Callable[[Page], None]


class Clicks:
    """Presses things, and counts them."""

    def __init__(self, page: Page) -> None:
        self.page, self.number = page, 0

    def on(self, target: Locator) -> None:
        target.click()
        self.number += 1


@pytest.fixture(scope="module")
def cloud(live_stack: Stack) -> int:
    """A generated cluster of 40 nodes on which 141 pods wait; its snapshot's number."""
    return import_by_rest(live_stack, "cloud", msgspec.json.encode(cloud_cluster("1", EKS, 40, 450)))


@pytest.fixture(scope="module")
def scored(live_stack: Stack, cloud: int) -> tuple[int, int]:
    """Its runs under LeastAllocated and MostAllocated, each with its nodes counted that could be emptied."""
    runs = [of(live_stack, cloud, "kube-1.36", scoring(kind)) for kind in ("LeastAllocated", "MostAllocated")]
    return runs[0], runs[1]


def of(stack: Stack, snapshot: int, profile: str, config: dict[str, Any] | None = None) -> int:
    """A finished run of a snapshot under a scheduler; its number."""
    scheduler = {"profile": profile, "config": config}
    return run_by_rest(stack, scenario_by_rest(stack, snapshot, scheduler=scheduler))


def compared(page: Page, a: int, b: int) -> Clicks:
    """The page of two runs, from the outcome of the first."""
    page.goto(f"/runs/{a}/outcome/")
    clicks = Clicks(page)
    clicks.on(page.get_by_role("link", name="Compare with…"))
    clicks.on(page.locator("main").get_by_role("link", name=f"run {b}", exact=True))
    expect(page.locator("#compare")).to_have_attribute("data-loaded", "yes")
    return clicks


def sentence(stack: Stack, a: int, b: int) -> str:
    """The lead of the same answer as REST prints it for a terminal."""
    accept = {"Accept": "text/plain"}
    status, text = stack.request("GET", f"/api/v1/compare/answer/?a={a}&b={b}", who="alice", headers=accept)
    assert status == 200, text
    return str(text).partition("\n")[0]


def says_as_rest(lead: Locator, stack: Stack, a: int, b: int) -> None:
    """The page's lead becomes what REST says, also where nodes are still counted when the page is opened."""
    wait_until(lambda: lead.inner_text() == sentence(stack, a, b))


def copied_is(page: Page, lead: str) -> None:
    """What would be copied as Markdown begins with this lead."""
    expect(page.locator("#markdown")).to_have_text(re.compile("^" + re.escape(f"**{lead}**")))


def test_least_allocated_against_most_allocated(
    page: Page, live_stack: Stack, scored: tuple[int, int], assert_accessible: Check
) -> None:
    clicks = compared(page, *scored)
    lead = page.locator(".compare-lead")
    expect(lead).to_have_text(
        re.compile(r"^MostAllocated .+, LeastAllocated .+\. .*pods? ends? on another node\.$")
    )
    assert clicks.number == 2
    says_as_rest(lead, live_stack, *scored)
    expect(page.locator(".asked")).to_contain_text(
        "NodeResourcesFit scoringStrategy type: LeastAllocated → MostAllocated"
    )
    expect(page.get_by_role("button", name="Copy as Markdown")).to_be_enabled()
    copied_is(page, lead.inner_text())
    figures = page.locator(".compare-figures")
    expect(figures.get_by_role("row", name=re.compile("^nodes over 90 % of cpu"))).not_to_contain_text("●")
    expect(figures.get_by_text(re.compile(r"^\d+ figures are equal$"))).to_be_visible()
    expect(page.locator(".of-moved tbody tr").first).to_contain_text(" of ")
    page.get_by_role("button", name="how largest pod that fits, by cpu is computed").click()
    expect(page.locator("#term-box")).to_contain_text("with 1 GiB of memory beside it")
    page.keyboard.press("Escape")
    assert_accessible(page)


NOT_COUNTED = """
from django.utils import timezone
from dashboard.models import Run
for run in Run.objects.filter(pk__in={runs}):
    run.outcome.pop("emptiable", None)
    Run.objects.filter(pk=run.pk).update(outcome=run.outcome, finished_at=timezone.now())
"""
COUNTED = """
from dashboard.models import Run
for pk, nodes in {nodes}.items():
    outcome = {{**Run.objects.get(pk=pk).outcome, "emptiable": {{"nodes": nodes, "tried": 40, "of": 40}}}}
    Run.objects.filter(pk=pk).update(outcome=outcome)
"""


def test_what_is_copied_follows_what_is_counted_after_the_page_was_opened(
    page: Page, live_stack: Stack, cloud: int
) -> None:
    runs = [of(live_stack, cloud, "kube-1.36", scoring(kind)) for kind in ("LeastAllocated", "MostAllocated")]
    address = "/api/v1/runs/{}/"
    for run in runs:
        wait_until(
            lambda run=run: "emptiable" in live_stack.request("GET", address.format(run))[1]["outcome"]
        )
    live_stack.manage("shell", "--no-imports", stdin=NOT_COUNTED.format(runs=runs))
    page.goto(f"/compare/?a={runs[0]}&b={runs[1]}")
    expect(page.get_by_text("How many nodes could be emptied is being counted.")).to_be_visible()
    before = page.locator("#markdown").text_content()
    live_stack.manage(
        "shell", "--no-imports", stdin=COUNTED.format(nodes=dict(zip(runs, (3, 17), strict=True)))
    )
    expect(page.locator(".compare-figures")).to_contain_text("17")
    expect(page.locator("#markdown")).not_to_have_text(before or "")
    copied_is(page, page.locator(".compare-lead").inner_text())


def test_narrow_and_zoomed_the_answer_fits(page_of: Callable[..., Page], scored: tuple[int, int]) -> None:
    for viewport, scale in (({"width": 390, "height": 844}, 1), ({"width": 720, "height": 450}, 2)):
        page = page_of("alice", viewport=viewport, device_scale_factor=scale)
        page.goto(f"/compare/?a={scored[0]}&b={scored[1]}")
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= viewport["width"]
        lead = page.locator(".compare-lead").bounding_box()
        assert lead is not None
        assert lead["y"] + lead["height"] < viewport["height"]


def test_which_gpu_policy(page: Page, live_stack: Stack, assert_accessible: Check) -> None:
    nodes = [machine(f"gpu-{number:02}", "a100", 4, A100, 81920) for number in range(40)]
    tasks = [asking(f"infer-{number:03}", 20480, 25) for number in range(120)]
    tasks += [asking(f"train-{number:03}", 0, 100, percentage=100) for number in range(10)]
    snapshot = import_by_rest(live_stack, "policies", listing(*nodes, *tasks))
    policies = [{"nodeSchedulerPolicy": name, "gpuSchedulerPolicy": name} for name in ("binpack", "spread")]
    runs = [of(live_stack, snapshot, "hami-2.10", policy) for policy in policies]
    clicks = compared(page, *runs)
    expect(page.locator("h1")).to_have_text("binpack beside spread")
    lead = page.locator(".compare-lead")
    expect(lead).to_contain_text(re.compile(r"^Spread leaves 30 cards without a pod, binpack leaves 120\."))
    assert clicks.number == 2
    says_as_rest(lead, live_stack, *runs)
    lost = page.locator(".compare-figures").get_by_role("row", name=re.compile("^free but lost"))
    expect(lost.locator("td").first).to_contain_text("●")
    expect(page.locator(".of-moved tbody tr")).to_have_count(1)  # pods without a controller are one row
    assert_accessible(page)


def test_compare_two_releases(page: Page, live_stack: Stack, cloud: int, assert_accessible: Check) -> None:
    runs = [of(live_stack, cloud, profile) for profile in ("kube-1.30", "kube-1.37")]
    clicks = compared(page, *runs)
    expect(page.locator("h1")).to_have_text("kube-1.30 beside kube-1.37")
    expect(page.locator(".asked")).to_contain_text("scheduler: kube-1.30 → kube-1.37")
    expect(
        page.locator(":is(.compare-lead, .compare-say)").filter(has_text="Under 1.37 instead of 1.30")
    ).to_be_visible()
    assert clicks.number == 2
    says_as_rest(page.locator(".compare-lead"), live_stack, *runs)
    assert_accessible(page)


def test_three_runs_stand_in_columns_and_each_change_between_two_is_played_alone(
    page: Page, live_stack: Stack, cloud: int, scored: tuple[int, int], assert_accessible: Check
) -> None:
    scheduler = {"profile": "kube-1.36", "config": scoring("MostAllocated")}
    edits = [{"op": "add", "manifest": pod("late")}]
    both = run_by_rest(live_stack, scenario_by_rest(live_stack, cloud, scheduler=scheduler, edits=edits))
    page.goto(f"/compare/?run={scored[0]}&run={both}")
    page.get_by_role("link", name="Another run").click()
    page.locator("main").get_by_role("link", name=f"run {scored[1]}", exact=True).click()
    expect(page.locator(".compare-columns thead th")).to_have_count(4)
    expect(page.locator(".compare-columns .column-bar")).to_have_count(3)
    page.get_by_role("button", name="Play each change alone").click()
    lines = page.locator("#alone-lines p")
    expect(lines).to_have_count(2)
    expect(lines.filter(has_text="LeastAllocated → MostAllocated alone:")).to_contain_text("run ")
    expect(page.locator("#alone-lines form")).to_have_count(0)
    expect(lines.filter(has_text="being played")).to_have_count(0)
    page.go_back()
    expect(page.locator(".compare-columns")).to_be_visible()
    expect(page.locator("#compare")).to_have_attribute("data-loaded", "yes")
    assert_accessible(page)
