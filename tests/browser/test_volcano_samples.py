"""Samples of Volcano as their readers meet them: at the end, by steps, side by side, in the editor."""

import re
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from playwright.sync_api import Locator, Page, expect

from samples.volcano.sample import volcano_scenarios
from tests.browser.clusters import expect_saved, import_by_rest, scenario_by_rest
from tests.browser.pages import opened
from tests.browser.volcano_clusters import VolcanoRuns
from tests.dashboard.rows import listing, node
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]
SAMPLES = [
    f"{sample} {number}"
    for sample in ("gang", "queues", "priority", "restart")
    for number, _ in enumerate(volcano_scenarios(sample))
]
TAKEN_BACK = {"queues": (3, 11), "half": (3, 9)}
"""The first try of a statement that is taken back, and the decision that does so."""


def seq(page: Page) -> Locator:
    return page.locator("[data-part=at]")


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_sample_is_read_at_its_end_in_all_tabs(
    page: Page, live_stack: Stack, volcano_runs: VolcanoRuns, assert_accessible: Check, sample: str
) -> None:
    run = volcano_runs[sample]
    last = live_stack.request("GET", f"/api/v1/runs/{run}/", who="alice")[1]["decisions"]
    opened(page, run)
    page.keyboard.press("End")
    expect(seq(page)).to_have_value(str(last))
    inspector = page.locator(".inspector")
    expect(inspector.locator(".say")).not_to_be_empty()
    tabs = inspector.get_by_role("tab")
    expect(tabs.first).to_be_visible()
    for place in range(tabs.count()):
        tabs.nth(place).click()
        expect(tabs.nth(place)).to_have_attribute("aria-selected", "true")
        expect(inspector.locator("#inspector-panel")).not_to_be_empty()
    assert_accessible(page)


def seen(page: Page) -> dict[str, Any]:
    """What the page says of a decision: the sentence, the pods of open statements, queues and jobs."""
    return page.evaluate(
        """() => {
            const all = (selector) => [...document.querySelectorAll(selector)];
            const texts = (selector) => all(selector).map((one) => one.textContent);
            return {
                say: texts(".inspector .say"),
                fates: Object.fromEntries(
                    [...sandtable.map.marks.fates].map(
                        ([pod, fate]) => [sandtable.fold.pods[pod].name, fate])),
                queues: texts(".volcano-queues .volcano-queue"),
                jobs: texts(".volcano-jobs .volcano-job"),
            };
        }"""
    )


@pytest.mark.parametrize("cluster", TAKEN_BACK)
def test_a_statement_that_is_taken_back_is_the_same_forwards_and_backwards(
    page: Page, volcano_runs: VolcanoRuns, cluster: str
) -> None:
    first, back = TAKEN_BACK[cluster]
    opened(page, volcano_runs[cluster], f"?at={first - 1}")
    forwards = {}
    for at in range(first - 1, back + 2):
        expect(seq(page)).to_have_value(str(at))
        forwards[at] = seen(page)
        page.keyboard.press("ArrowRight")
    expect(seq(page)).to_have_value(str(back + 2))
    for at in range(back + 1, first - 2, -1):
        page.keyboard.press("ArrowLeft")
        expect(seq(page)).to_have_value(str(at))
        assert seen(page) == forwards[at], at
    assert "back" not in forwards[first]["fates"].values()
    if cluster == "half":
        assert set(forwards[back]["fates"].values()) == {"back"}
        assert forwards[back + 1]["fates"] == {}


def test_two_gangs_side_by_side_say_which_of_them_start(
    page: Page, volcano_runs: VolcanoRuns, assert_accessible: Check
) -> None:
    page.goto(f"/compare/?a={volcano_runs['gang 0']}&b={volcano_runs['gang 1']}")
    expect(page.locator("#compare")).to_have_attribute("data-loaded", "yes")
    expect(page.locator(".compare-say")).to_contain_text(
        "Under volcano-1.16, 1 of 2 gangs is whole; "
        "under kube-1.36, none of 2 gangs is whole and 2 are half placed."
    )
    rows = page.locator("#gangs tbody tr")
    for row, words in enumerate(
        (["ml/bert", "whole", "4 of 4", "half placed"], ["ml/gpt", "waiting", "0 of 4", "half placed"])
    ):
        expect(rows.nth(row)).to_contain_text(re.compile(".*".join(words), re.DOTALL))
    expect(page.locator(".compare-card")).to_contain_text("Not to be named")
    page.keyboard.press("End")
    expect(page.locator(".compare-side[data-side=b] [data-part=where]")).to_contain_text("the run has ended")
    assert_accessible(page)


def cluster_with_configurations() -> bytes:
    """A node, and the ConfigMap that Volcano's scheduler reads."""
    text = 'actions: "enqueue, allocate"\ntiers:\n- plugins:\n  - {name: gang}\n  - {name: predicates}\n'
    metadata = {"namespace": "volcano-system", "name": "volcano-scheduler-configmap"}
    data = {"volcano-scheduler.conf": text}
    return listing(
        node("node-1"), {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}
    )


def test_the_editor_takes_the_clusters_configuration_and_tells_faults_beside_it(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    snapshot = import_by_rest(live_stack, "configured", cluster_with_configurations())
    scenario = scenario_by_rest(live_stack, snapshot, scheduler={"profile": "volcano-1.16"})
    page.goto(f"/scenarios/{scenario}/")
    page.locator("[data-configuration] > summary").click()
    text, problem = page.locator("#config"), page.locator("#config-problem")
    page.get_by_label("From the cluster").select_option(
        "volcano-system/volcano-scheduler-configmap: volcano-scheduler.conf"
    )
    expect(text).to_have_value(
        "actions: enqueue, allocate\ntiers:\n- plugins:\n  - name: gang\n  - name: predicates\n"
    )
    assert_accessible(page)
    for given, told in {
        "actions: alocate\ntiers: []": "actions: failed to find Action alocate; did you mean allocate?",
        "actions: allocate\ntiers: [{}]": "tiers[0].plugins: must name a plugin at least",
        "actions: allocate\ntiers: [{plugins: [{name: drf, arguments: 5}]}]": "arguments: must be a mapping",
    }.items():
        text.fill(given)
        expect(problem).to_contain_text(told)
        expect(text).to_have_attribute("aria-invalid", "true")
    text.fill("actions: allocate\ntiers:\n- plugins: [{name: extender}, {name: rescheduling}]")
    expect(problem).to_be_empty()
    expect(page.locator("[data-trust] li").first).to_contain_text(
        "not modelled: plugin extender, which asks a server"
    )
    expect(page.locator("[data-trust] li").last).to_contain_text(
        "not played, without effect here: plugin rescheduling (only the action shuffle"
    )
    page.get_by_label("From the cluster").select_option(index=1)
    expect(problem).to_be_empty()
    page.locator("#profile").select_option("kube-1.36")
    expect(page.get_by_label("From the cluster")).to_be_hidden()


def test_volcanos_configuration_is_a_form_and_a_text_that_never_disagree(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    snapshot = import_by_rest(live_stack, "formed", cluster_with_configurations())
    scenario = scenario_by_rest(live_stack, snapshot, scheduler={"profile": "volcano-1.16", "config": None})
    page.goto(f"/scenarios/{scenario}/")
    page.locator("[data-configuration] > summary").click()
    text, form = page.locator("#config"), page.locator("[data-configuration-form]")
    expect(form.get_by_label("backfill", exact=True)).to_be_checked()
    expect(text).to_have_value("")  # the shipped one, until something of it is changed
    form.get_by_role("button", name="with reclaim").click()
    expect(text).to_have_value(re.compile("^actions: enqueue, allocate, reclaim, backfill\n"))
    form.get_by_label("Set something of overcommit").select_option("overcommit-factor")
    page.keyboard.type("1.31")
    page.keyboard.press("Enter")
    expect(text).to_have_value(re.compile("overcommit-factor: 1.31\n"))
    form.get_by_label("Move gang down").click()
    moved = "- name: conformance\n  - name: gang\n    enablePreemptable: false\n"
    expect(text).to_have_value(re.compile(moved))
    assert_accessible(page)
    expect_saved(page)
    _, stored = live_stack.request("GET", f"/api/v1/scenarios/{scenario}/", who="alice")
    assert stored["scheduler"]["config"] == yaml.safe_load(text.input_value())
    text.fill("actions: allocate\ntiers:\n- plugins: [{name: extender}, {name: gnag}, {name: gang}]")
    expect(form.locator(".conf-plugin").filter(has_text="extender")).to_contain_text("not played")
    expect(form.locator(".conf-plugin").filter(has_text="gnag")).to_contain_text("unknown to Volcano")
    expect(form.get_by_label("backfill", exact=True)).not_to_be_checked()
    text.fill("actions: [")
    expect(form).to_have_js_property("inert", True)
    text.fill("actions: 5")
    expect(form).to_contain_text("no actions and tiers that a form could show")
