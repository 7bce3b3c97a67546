"""The scenario editor and the debugger with several schedulers in one cluster."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.clusters import expect_saved, import_by_rest, run_by_rest, scenario_by_rest
from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack, wait_until

Check = Callable[[Page], None]
PACKING = """\
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - schedulerName: packing
"""


def shared() -> bytes:
    """Two nodes, and pods of two schedulers and of one that nobody plays."""
    mine = [pod(f"mine-{number}", cpu="500m") for number in range(3)]
    packed = [pod(f"packed-{number}", cpu="500m", schedulerName="packing") for number in range(3)]
    return listing(node("node-1"), node("node-2"), *mine, *packed, pod("odd", schedulerName="third"))


def open_editor(page: Page, stack: Stack) -> int:
    """The editor of a new scenario; the scenario's number."""
    scenario = scenario_by_rest(stack, import_by_rest(stack, "shared", shared()))
    page.goto(f"/scenarios/{scenario}/")
    expect(page.locator("[data-verdict]")).to_have_text("It can run, but 4 pods get no decision.")
    return scenario


def stored(stack: Stack, scenario: int) -> Any:
    return stack.request("GET", f"/api/v1/scenarios/{scenario}/", who="alice")[1]["beside"]


def add(page: Page, number: int) -> Locator:
    """Add a scheduler by keyboard; its fields."""
    page.get_by_role("button", name="Another scheduler beside it").press("Enter")
    fields = page.get_by_role("group", name=f"Scheduler {number}")
    expect(fields.get_by_label("Called")).to_be_focused()
    return fields


def expect_stored(page: Page, stack: Stack, scenario: int, *wanted: tuple[str, str]) -> None:
    """The editor has stored these schedulers, each with its name and the schedulerName of its pods."""
    wait_until(lambda: [_short(entry) for entry in stored(stack, scenario)] == list(wanted))
    expect_saved(page)


def _short(entry: dict[str, Any]) -> tuple[str, str]:
    profiles = (entry.get("config") or {}).get("profiles") or [{}]
    return entry["name"], profiles[0].get("schedulerName", "")


def test_a_scheduler_is_added_configured_and_removed(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    scenario = open_editor(page, live_stack)
    expect(page.locator("[data-unserved]")).to_contain_text("3 pods name packing, 1 pod names third.")
    second = add(page, 2)
    second.get_by_label("Called").fill("packer")
    second.get_by_label("Its configuration").fill(PACKING)
    expect_stored(page, live_stack, scenario, ("packer", "packing"))
    assert_accessible(page)
    expect(page.locator("[data-unserved-words]")).to_have_text("1 pod names third.")
    page.reload()
    expect(page.get_by_label("Called")).to_have_value("packer")
    expect(page.get_by_label("Its configuration")).to_have_value(re.compile("schedulerName: packing"))
    third = add(page, 3)
    third.get_by_label("Kind").select_option("volcano")
    expect(third.locator("[data-companion-form]:not([inert])")).to_be_visible()
    third.get_by_label("reclaim", exact=True).click()
    expect(third.get_by_label("Its configuration")).to_have_value(re.compile("^actions: .*reclaim"))
    assert_accessible(page)
    third.get_by_role("button", name="Remove scheduler 3").press("Enter")
    page.get_by_role("button", name="Remove scheduler 2").press("Enter")
    expect(page.get_by_role("button", name="Another scheduler beside it")).to_be_focused()
    expect_stored(page, live_stack, scenario)


def test_what_is_wrong_with_a_scheduler_stands_beside_its_field(page: Page, live_stack: Stack) -> None:
    scenario = open_editor(page, live_stack)
    second, third = add(page, 2), add(page, 3)
    second.get_by_label("Its configuration").fill(PACKING)
    expect_stored(page, live_stack, scenario, ("", "packing"), ("", "second-scheduler-2"))
    third.get_by_label("Its configuration").fill(PACKING.replace("packing", "default-scheduler"))
    fault = "profiles: kube-scheduler schedules pods of default-scheduler already"
    expect(third.get_by_role("alert").filter(has_text=fault)).to_be_visible()
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_disabled()
    third.get_by_label("Its configuration").fill("profiles: [")
    expect(third.get_by_label("Its configuration")).to_have_attribute("aria-invalid", "true")
    expect(second.get_by_label("Its configuration")).to_have_attribute("aria-invalid", "false")
    page.get_by_role("button", name="Remove scheduler 3").click()
    expect_stored(page, live_stack, scenario, ("", "packing"))
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled()


def test_a_version_that_acts_alone_sets_the_others_aside(page: Page, live_stack: Stack) -> None:
    scenario = open_editor(page, live_stack)
    add(page, 2)
    expect_stored(page, live_stack, scenario, ("", "second-scheduler"))
    page.get_by_label("Scheduler", exact=True).select_option("kube-1.11")
    expect(page.get_by_text("This version acts alone.")).to_be_visible()
    expect_stored(page, live_stack, scenario)
    page.get_by_label("Scheduler", exact=True).select_option("kube-1.36")
    expect_stored(page, live_stack, scenario, ("", "second-scheduler"))


def test_the_debugger_names_the_scheduler_of_each_decision_and_stops_by_it(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    scenario = open_editor(page, live_stack)
    second = add(page, 2)
    second.get_by_label("Called").fill("packer")
    second.get_by_label("Its configuration").fill(PACKING)
    expect_stored(page, live_stack, scenario, ("packer", "packing"))
    expect(page.locator("[data-unserved-short]")).to_have_text("1 pod gets no decision")
    run = run_by_rest(live_stack, scenario)
    page.goto(f"/runs/{run}/?at=1")
    expect(page.locator("#debugger")).to_have_attribute("data-loaded", "yes")
    expect(page.get_by_role("region", name="queue of packer")).to_be_visible()
    expect(page.locator(".who small")).to_contain_text("by kube-scheduler")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".who small")).to_contain_text("by packer")
    page.locator("[data-part=stop-label]").click()
    page.get_by_label("a preemption").uncheck()
    page.get_by_label("only decisions of").select_option("packer")
    expect(page.locator("[data-part=stop-label]")).to_contain_text("packer")
    assert_accessible(page)
    page.get_by_role("button", name="next n").click()
    expect(page.locator("[data-part=at]")).to_have_value("4")
    page.get_by_role("button", name="next n").click()
    expect(page.locator("[data-part=at]")).to_have_value("6")
    expect(page.locator("[data-part=totals]")).to_contain_text("without a scheduler 1")
    page.goto(f"/runs/{run}/outcome/")
    expect(page.locator(".by-scheduler tbody tr")).to_have_text(["kube-scheduler33––", "packer33––"])
    expect(page.locator(".lead").first).to_contain_text("1 pod names the scheduler third")
    expect(page.locator(".under")).to_contain_text("beside it packer")


def test_pods_of_a_missing_scheduler_are_told_beside_run_until_the_clusters_is_taken(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    pods = [pod(f"gang-{number}", schedulerName="volcano") for number in range(3)]
    snapshot = import_by_rest(live_stack, "gangs", listing(node("node-1"), *pods))
    page.goto(f"/snapshots/{snapshot}/")
    page.get_by_role("button", name="New scenario").first.click()
    own = page.locator("[data-own-schedulers]")
    expect(own).to_contain_text("Taken from the cluster. volcano: named by 3 waiting pods")
    expect(page.locator("[data-verdict]")).to_have_text("Nothing is wrong with it.")
    expect(page.locator("[data-unserved]")).to_be_hidden()
    page.get_by_label("Scheduler", exact=True).select_option("kube-1.36")
    expect(page.locator("[data-unserved-short]")).to_have_text("3 pods get no decision")
    expect(page.locator("[data-unserved]")).to_contain_text("3 pods name volcano.")
    expect(page.locator("[data-verdict]")).to_have_text("It can run, but 3 pods get no decision.")
    row = page.locator("[data-figures] tr").filter(has_text="pending pods")
    expect(row).to_have_text("pending pods3same")
    expect(own).to_contain_text("The cluster's own schedulers.")
    assert_accessible(page)
    page.get_by_role("button", name="Take the schedulers of the cluster").click()
    expect(page.get_by_label("Scheduler", exact=True)).to_have_value("volcano-1.16")
    expect(page.locator("[data-verdict]")).to_have_text("Nothing is wrong with it.")
    expect(page.locator("[data-unserved]")).to_be_hidden()
