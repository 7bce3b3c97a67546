"""HAMi's settings in the editor, as its chart has installed them in the cluster."""

import re
from collections.abc import Callable

import yaml
from playwright.sync_api import Page, expect

from tests.api.test_found_configurations import HAMI_DEVICES, HAMI_KUBE, config_map
from tests.browser.clusters import import_by_rest, scenario_by_rest
from tests.dashboard.rows import listing, node
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]


def test_the_editor_takes_the_clusters_settings(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    installed = [
        config_map("hami", "hami-scheduler", **{"config.yaml": HAMI_KUBE}),
        config_map("hami", "hami-scheduler-device", **{"device-config.yaml": HAMI_DEVICES}),
    ]
    snapshot = import_by_rest(live_stack, "with-hami", listing(node("node-1"), *installed))
    scenario = scenario_by_rest(live_stack, snapshot, scheduler={"profile": "hami-2.10"})
    page.goto(f"/scenarios/{scenario}/")
    page.locator("[data-configuration] > summary").click()
    page.get_by_label("From the cluster").select_option("hami/hami-scheduler-device: device-config.yaml")
    expect(page.locator("#config")).to_have_value(re.compile("defaultMemory"))
    read = yaml.safe_load(page.locator("#config").input_value())
    assert read["schedulerName"] == "gpu-scheduler"
    assert read["deviceConfig"]["nvidia"]["defaultMemory"] == 4000
    expect(page.locator("#config-problem")).to_be_empty()
    assert_accessible(page)
    page.locator("#config").fill("nodeSchedulerPolicy: binpack\ndeviceConfig: {}")
    expect(page.locator("#config-problem")).to_contain_text("deviceConfig: configures no vendor")
