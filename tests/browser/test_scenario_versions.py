"""The scenario editor: a version of the scheduler, its driver and configuration, and runs under another."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.clusters import expect_saved, import_by_rest, run_by_rest, scenario_by_rest
from tests.fixtures.stack import Stack, wait_until

Check = Callable[[Page], None]
CONFIGURATION = "kind: KubeSchedulerConfiguration\npercentageOfNodesToScore: 50\n"


def open_editor(page: Page, stack: Stack) -> int:
    """The editor of a new scenario; the scenario's number."""
    scenario = scenario_by_rest(stack, import_by_rest(stack, "versions"), driver=None)
    page.goto(f"/scenarios/{scenario}/")
    expect(page.locator("[data-verdict]")).to_have_text("Nothing is wrong with it.")
    return scenario


def body_of(stack: Stack, scenario: int) -> Any:
    """The scenario as REST gives it."""
    return stack.request("GET", f"/api/v1/scenarios/{scenario}/", who="alice")[1]


def stored(stack: Stack, scenario: int) -> tuple[str, Any, str]:
    """Profile, configuration and driver as REST gives them."""
    body = body_of(stack, scenario)
    return body["scheduler"]["profile"], body["scheduler"]["config"], body["driver"]


def test_another_version_brings_its_driver_and_its_own_settings(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    scenario = open_editor(page, live_stack)
    page.get_by_label("Scheduler", exact=True).select_option("kube-1.8")
    expect(page.get_by_label("Time and queue")).to_have_value("")
    expect(page.get_by_label("Time and queue").locator("option:checked")).to_contain_text("fifo")
    expect(page.locator("#config")).to_be_hidden()
    expect_saved(page)
    assert stored(live_stack, scenario) == ("kube-1.8", None, "fifo")
    page.get_by_label("Feature gate PodPriority").uncheck()
    page.get_by_label("Time and queue").select_option("instant")
    expect_saved(page)
    assert_accessible(page)
    page.reload()
    expect(page.get_by_label("Feature gate PodPriority")).not_to_be_checked()
    expect(page.get_by_label("Time and queue")).to_have_value("instant")
    assert stored(live_stack, scenario) == ("kube-1.8", {"podPriority": False}, "instant")


def test_a_driver_that_was_chosen_stays_with_versions_that_have_it(page: Page, live_stack: Stack) -> None:
    open_editor(page, live_stack)
    version, driver = page.get_by_label("Scheduler", exact=True), page.get_by_label("Time and queue")
    version.select_option("kube-1.11")
    driver.select_option("fifo")
    version.select_option("kube-1.9")
    expect(driver).to_have_value("fifo")
    version.select_option("kube-1.36")
    expect(driver).to_have_value("")
    expect(driver.locator("option:checked")).to_contain_text("by what is asked: timed, since pods that wait")
    expect_saved(page)


def test_a_drain_brings_a_clock_and_the_editor_says_why(page: Page, live_stack: Stack) -> None:
    open_editor(page, live_stack)
    driver = page.get_by_label("Time and queue").locator("option:checked")
    expect(driver).to_contain_text("by what is asked: timed, since pods that wait")
    page.get_by_role("button", name="Drain").click()
    page.get_by_label("Nodes", exact=True).last.fill("node-1")
    expect_saved(page)
    expect(driver).to_have_text("by what is asked: timed, since node-1 is drained")


def test_a_configuration_is_set_aside_by_an_old_version_and_comes_back(page: Page, live_stack: Stack) -> None:
    scenario = open_editor(page, live_stack)
    page.get_by_text("Configuration of the scheduler").click()
    page.locator("#config").fill(CONFIGURATION)
    version = page.get_by_label("Scheduler", exact=True)
    expect_saved(page)
    version.select_option("kube-1.13")
    expect(page.get_by_text("Your configuration is not for this version.")).to_be_visible()
    expect_saved(page)
    assert stored(live_stack, scenario)[1] is None
    version.select_option("kube-1.36")
    expect(page.locator("#config")).to_have_value(CONFIGURATION)
    expect_saved(page)
    assert stored(live_stack, scenario)[1] == {
        "kind": "KubeSchedulerConfiguration",
        "percentageOfNodesToScore": 50,
    }


def test_a_faulty_configuration_is_told_beside_it_and_does_not_hold_up_the_rest(
    page: Page, live_stack: Stack
) -> None:
    scenario = open_editor(page, live_stack)
    page.get_by_text("Configuration of the scheduler").click()
    page.locator("#config").fill("profile: []\n")
    expect(page.locator("#config-problem")).to_have_text("profile: is no field of it")
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_disabled()
    page.get_by_label("Name of the scenario").fill("renamed")
    expect(page.locator("[data-save-state]")).to_have_text("not saved")
    wait_until(lambda: body_of(live_stack, scenario)["name"] == "renamed")
    assert body_of(live_stack, scenario)["scheduler"]["config"] is None
    page.locator("#config").fill("profiles: []\n")
    expect(page.locator("#config-problem")).to_have_text("")
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled()
    expect_saved(page)


def test_a_scenario_is_run_under_another_version_in_one_click(page: Page, live_stack: Stack) -> None:
    scenario = open_editor(page, live_stack)
    page.get_by_label("Among equal nodes").fill("7")
    page.get_by_text("Run under another version…").click()
    page.get_by_role("button", name="kube-scheduler 1.8").click()
    page.wait_for_url("**/runs/*/**")
    run = int(page.url.split("/runs/")[1].split("/")[0])
    made = live_stack.request("GET", f"/api/v1/runs/{run}/", who="alice")[1]
    assert made["scenario"] != scenario
    assert (made["scenario_name"], made["scheduler"]["profile"]) == ("what if · kube-1.8", "kube-1.8")
    assert (made["driver"], made["seed"]) == ("instant", 7)


def test_a_run_is_asked_again_under_another_version_and_each_names_the_other(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    run = run_by_rest(live_stack, scenario_by_rest(live_stack, import_by_rest(live_stack, "versions")))
    page.goto(f"/runs/{run}/outcome/")
    expect(page.locator(".under")).to_contain_text("kube-1.37, instant")
    page.get_by_text("Run under another version…").click()
    assert_accessible(page)
    page.get_by_role("button", name="kube-scheduler 1.11").click()
    page.wait_for_url(lambda url: f"/runs/{run}/" not in url)
    other = int(page.url.split("/runs/")[1].split("/")[0])
    page.goto(f"/runs/{other}/outcome/")
    expect(page.locator(".under")).to_contain_text("kube-1.11, instant")
    expect(page.locator(".counterparts")).to_contain_text(f"kube-1.37, instant: run {run}")
    page.goto(f"/runs/{run}/outcome/")
    expect(page.locator(".counterparts")).to_contain_text(f"kube-1.11, instant: run {other}")


def test_a_viewer_is_not_offered_another_version(page_of: Callable[..., Page], live_stack: Stack) -> None:
    page = page_of("bob")
    open_editor(page, live_stack)
    expect(page.get_by_text("Run under another version…")).to_have_count(0)
    expect(page.get_by_label("Scheduler", exact=True)).to_be_disabled()
    expect(page.get_by_label("Time and queue")).to_be_disabled()
