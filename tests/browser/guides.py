"""The steps of each guide in docs/guides/, done in the product as the guide says.

The end of a walk is the guide's picture, which ``python docs/images/take.py guides`` takes.
"""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect

from samples.hami.sample import hami_files, hami_scenarios
from samples.teaching.sample import teaching_files
from samples.volcano.sample import volcano_files, volcano_scenarios
from tests.browser.clusters import expect_saved, import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.guides_of_clusters import what_came_of_it
from tests.browser.walks import Walk, plain, wait_for
from tests.dashboard.rows import listing, node, pod
from tests.first_fit.kind import PROFILE, SCHEDULER_NAME
from tests.fixtures.browser import ACTION_MILLISECONDS
from tests.fixtures.stack import Stack

TRIALS_MILLISECONDS = 240_000
"""So long changes may be tried, each by a run of its own, on a machine that is busy."""
MANIFEST = re.compile(r"^```yaml\n(.*?)^```", re.MULTILINE | re.DOTALL)
CONFIGURATION = """\
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
  pluginConfig:
  - name: NodeResourcesFit
    args:
      scoringStrategy:
        type: MostAllocated
        resources: [{name: cpu, weight: 1}, {name: memory, weight: 1}]
"""
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: checkout, namespace: shop}
spec:
  replicas: 4
  selector: {matchLabels: {app: checkout}}
  template:
    metadata: {labels: {app: checkout}}
    spec:
      containers:
      - name: checkout
        image: example/checkout:1
        resources: {requests: {cpu: 500m, memory: 1Gi}}
"""


def snapshot_of(stack: Stack, name: str, files: list[tuple[str, bytes]]) -> int:
    """A sample's cluster, imported; its number."""
    content = b"\n---\n".join(content for _, content in files)
    return import_by_rest(stack, name, content, "application/yaml")


def open_teaching_cluster(walk: Walk) -> int:
    snapshot = snapshot_of(walk.stack, "teaching", teaching_files())
    walk.page.goto(f"/snapshots/{snapshot}/")
    return snapshot


def run_it(walk: Walk) -> int:
    """Press Run, wait until the run has ended; its number."""
    walk.button("Run")
    walk.page.wait_for_url("**/runs/*/**")
    run = int(re.findall(r"/runs/(\d+)/", walk.page.url)[0])
    wait_for(walk, run)
    walk.page.locator("#debugger[data-loaded]").wait_for()
    return run


def new_scenario(walk: Walk) -> None:
    walk.button("New scenario")
    walk.page.wait_for_url("**/scenarios/*/")
    expect(walk.page.locator("[data-verdict]")).not_to_have_text("…")


def edit(page: Page, number: int) -> Locator:
    return page.locator(".edit").nth(number - 1)


def why_is_my_pod_pending(walk: Walk) -> None:
    page = walk.page
    open_teaching_cluster(walk)
    new_scenario(walk)
    run = run_it(walk)
    walk.link("Outcome")
    row = page.locator(".failures li", has_text="staging/queue-0")
    walk.read(row, "6 Insufficient cpu")
    walk.press(row.locator("a.message"), "0/8 nodes are available")
    page.locator("#debugger[data-loaded=yes]").wait_for()
    walk.press(page.get_by_role("tab", name="Filter"), "Filter")
    walk.press(
        page.locator(".inspector").get_by_role("button", name=re.compile("insufficient cpu")),
        "insufficient cpu",
    )
    walk.read(page.locator(".band-nodes"), "6 nodes")
    [answer] = walk.ask(RUN=run)
    made_anew = [("change", "gone")]
    tried = [("attempt", "unschedulable"), ("completion", "returned")]
    assert [(one["kind"], one["outcome"]) for one in answer["results"]] == made_anew + 4 * tried


def can_i_drain_these_nodes(walk: Walk) -> None:
    page = walk.page
    snapshot = open_teaching_cluster(walk)
    page.goto(f"/?of={snapshot}")
    page.get_by_label("A node", exact=True).fill("node-c1")
    question = page.locator(".ask", has_text="Can I drain it?")
    walk.press(question.get_by_role("heading"), "Can I drain it?")
    question.get_by_role("button", name="Ask").click()
    page.get_by_role("heading", name="node-c1 can't be drained").wait_for()
    walk.read(
        page.locator(".rehearsal-lead h2"),
        "node-c1 can't be drained: budget shop/recommend allows no eviction, now or ever.",
    )
    page.goto(f"/snapshots/{snapshot}/")
    new_scenario(walk)
    for number, name in enumerate(("node-c1", "node-a2"), 1):
        walk.button("Drain")
        edit(page, number).get_by_role("textbox", name="Nodes", exact=True).fill(name)
    walk.read(
        edit(page, 1).locator(".edit-verdict"),
        "1 of 2 evictions refused by PodDisruptionBudget shop/recommend: shop/recommend-1 stays on node-c1",
    )
    expect_saved(page)
    run = run_it(walk)
    walk.link("Outcome: incomplete")
    walk.read(page.locator(".outcome-say"), "1 of 2 nodes is empty; 1 never is")
    walk.read(page.locator(".lead").first, "shop/recommend allows no eviction, now or ever")
    walk.read(page.locator(".lead").last, "3 more pods are pending because of your edits")
    tried, outcome = walk.ask(SNAPSHOT=snapshot, RUN=run)
    refused = "1 of 2 evictions refused by PodDisruptionBudget shop/recommend"
    asked_again = "shop/recommend-1 stays on node-c1 at first, and the drain asks again"
    assert f"{refused}: {asked_again}" in tried["edits"][0]["changes"]
    assert outcome["outcome"]["incomplete"]
    page.goto(f"/snapshots/{snapshot}/")
    walk.press(page.get_by_role("link", name="Nodes 8"), "Nodes")
    page.get_by_label("Tick node-c1", exact=True).check()
    page.get_by_label("Tick node-a2", exact=True).check()
    walk.button("Drain")
    expect(page.locator(".edit-sentence")).to_have_text("Drain 2 nodes: asks for 4 evictions")
    page.get_by_label("Delete edit 1").click()
    expect(page.locator(".edit")).to_have_count(0)
    walk.button("Undo")
    expect(page.locator(".edit-sentence")).to_have_text("Drain 2 nodes: asks for 4 evictions")


def does_my_deployment_fit(walk: Walk) -> None:
    page = walk.page
    snapshot = open_teaching_cluster(walk)
    walk.link("Preflight")
    field = page.get_by_label("Manifest", exact=True)
    field.fill(DEPLOYMENT)
    assert plain(DEPLOYMENT) in plain(walk.text)
    walk.read(page.locator(".outcome-say"), "4 of 4 fit")
    walk.read(page.locator(".outcome-say"), "1 pod of others is pending because of it")
    field.fill(DEPLOYMENT.replace("replicas: 4", "replicas: 14"))
    walk.read(page.locator(".outcome-say"), "12 of 14 fit")
    expect(page.locator(".preflight-lines")).to_contain_text("binds 2 pods")
    page.locator(".fitting-table").wait_for(timeout=TRIALS_MILLISECONDS)
    walk.read(page.locator(".fitting-table"), "have 12 pods instead of 14")
    [answer] = walk.ask(SNAPSHOT=snapshot)
    assert answer["state"] in ("computing", "answered")


def how_many_more_fit(walk: Walk) -> None:
    page = walk.page
    snapshot = open_teaching_cluster(walk)
    walk.link("Headroom")
    lead = page.locator(".why-lead")
    lead.wait_for(timeout=TRIALS_MILLISECONDS)
    walk.read(lead, "2 more of shop/web fit. 9 more would, by evicting others.")
    walk.read(page.locator(".headroom-table"), "closed")
    page.get_by_label("CPU").fill("500m")
    page.get_by_label("Memory").fill("1Gi")
    walk.button("Count it")
    page.get_by_role("link", name="take away").wait_for()
    lead.wait_for(timeout=TRIALS_MILLISECONDS)
    walk.read(lead, "5 more of 500m cpu, 1Gi memory fit.")
    [answer] = walk.ask(SNAPSHOT=snapshot)
    assert answer["state"] in ("computing", "answered")


def before_you_upgrade(walk: Walk) -> None:
    page = walk.page
    [cluster] = MANIFEST.findall(walk.text)
    snapshot = import_by_rest(walk.stack, "upgrade", cluster.encode(), "application/yaml")
    page.goto(f"/snapshots/{snapshot}/")
    walk.link("Summary")
    walk.read(page.locator("main"), "The API server is of 1.35 (v1.35.4).")
    walk.press(page.get_by_text("Before you upgrade…"), "Before you upgrade…")
    walk.press(page.get_by_role("button", name="1.35 beside 1.36"), "1.35 beside 1.36")
    page.wait_for_url("**/compare/**")
    runs = {name: int(number) for name, number in re.findall(r"\b([ab])=(\d+)", page.url)}
    for run in runs.values():
        wait_for(walk, run)
    expect(page.locator("#compare")).to_have_attribute("data-loaded", "yes")
    walk.read(
        page.locator(".compare-lead"),
        "Under 1.36 instead of 1.35, 1 pod lands on another node, because of NodeResourcesBalancedAllocation"
        " (changed in 1.36); 1 more pod waits, in consequence of other decisions.",
    )
    walk.read(page.locator("main"), "What differs between 1.35 and 1.36")
    walk.press(page.get_by_text("Which pods, because of what"), "Which pods, because of what")
    for name in ("shop/web-1", "shop/web-2"):
        walk.read(page.locator(".release-causes"), name)
    rehearse_its_nodes(walk, snapshot)
    made, compared, rehearsed = walk.ask(SNAPSHOT=snapshot, A=runs["a"], B=runs["b"])
    assert made["newer"]["scheduler"]["profile"] == "kube-1.36"
    assert [cause["how"] for cause in compared["releases"]["causes"]] == ["alone", "in consequence"]
    assert rehearsed["state"] in ("computing", "answered")
    assert not rehearsed["fault"]


def rehearse_its_nodes(walk: Walk, snapshot: int) -> None:
    page = walk.page
    page.goto(f"/snapshots/{snapshot}/")
    walk.link("Rehearse")
    page.locator("[name=nodes]").fill("node-1 node-2")
    walk.button("Rehearse")
    expect(page.locator(".rehearsal-lead h2")).to_contain_text("2 nodes")
    expect(page.get_by_role("region", name="Node by node over time")).to_contain_text("node-1")
    with page.expect_download() as download:
        walk.link("Runbook")
    assert download.value.suggested_filename.endswith(".md")
    walk.button("Step through it")
    page.wait_for_url("**/runs/**")


def who_took_my_queues_share(walk: Walk) -> None:
    page, stack = walk.page, walk.stack
    snapshot = snapshot_of(stack, "queues", volcano_files("queues"))
    run = run_of(stack, snapshot, volcano_scenarios("queues")[0])
    page.goto(f"/runs/{run}/outcome/")
    expect(page.locator(".by-queue tr", has_text="research").locator("td").nth(2)).to_have_text("6")
    walk.link("Step through it")
    page.locator("#debugger[data-loaded=yes]").wait_for()
    walk.press(page.locator('.volcano-queues [data-key="queue research"]'), "research")
    card = page.get_by_role("region", name="queue research")
    walk.read(card, "of 8 gpu that it deserves")
    walk.press(card.get_by_role("tab", name="Jobs"), "Jobs")
    expect(card).to_contain_text("ml/sweep")
    of_run, victims = walk.ask(RUN=run)
    assert {row["queue"]: row["evicted"] for row in of_run["outcome"]["by_queue"]}["research"] == 6
    assert victims["results"]


def which_gpu_policy(walk: Walk) -> None:
    page, stack = walk.page, walk.stack
    snapshot = snapshot_of(stack, "shared-gpus", hami_files())
    for scenario in hami_scenarios():
        run = run_of(stack, snapshot, scenario)
    page.goto(f"/snapshots/{snapshot}/")
    walk.link("Summary")
    walk.link("4 policies of cards side by side")
    expect(page.locator(".same-arrival tbody tr")).to_have_count(4)
    expect(page.locator(".compare-lead")).to_contain_text(" of the cards have arrived, ")
    walk.read(page.locator(".same-arrival"), "Free but lost")
    walk.read(
        page.locator("main"),
        "A full cluster has little left to lose: don't rank policies by what is lost alone.",
    )
    expect(page.locator(".plot svg").first).to_be_visible()
    [answer] = walk.ask(RUN=run)
    assert answer


def which_settings_suit_my_cluster(walk: Walk) -> None:
    page = walk.page
    open_teaching_cluster(walk)
    new_scenario(walk)
    walk.button("Node group")
    for label, text in (("Names begin with", "extra-"), ("How many", "1"), ("Like this node", "node-a1")):
        edit(page, 1).get_by_label(label).fill(text)
    expect(page.locator("[data-verdict]")).to_have_text("Nothing is wrong with it.")
    expect_saved(page)
    scenario = int(re.findall(r"/scenarios/(\d+)/", page.url)[0])
    walk.link("Sweep settings…")
    for scoring in ("LeastAllocated", "MostAllocated"):
        page.get_by_role("checkbox", name=scoring).check()
    page.get_by_label("how many of extra").fill("0, 1, 2")
    walk.button("Play all combinations")
    page.wait_for_url("**/sweeps/*/")
    sweep = int(re.findall(r"/sweeps/(\d+)/", page.url)[0])
    expect(page.get_by_text("6 of 6 runs played")).to_be_visible(timeout=ACTION_MILLISECONDS * 4)
    walk.read(page.locator(".sweep-say"), "today's settings")
    expect(page.locator(".sweep-grid td")).to_have_count(6)
    expect(page.locator(".sweep-plot svg").first).to_be_visible()
    known, made, found = walk.ask(SCENARIO=scenario, SWEEP=sweep)
    assert ["0", "count"] in [one["path"] for one in known["choices"]]
    assert made["of"] == 3
    assert found["state"] == "ended"
    walk.press(page.locator("#runs summary"), "All 6 runs")
    for tick in page.locator("#runs input[name=run]").all()[:2]:
        tick.check()
    walk.button("Compare ticked runs")
    page.wait_for_url("**/compare/**")
    page.goto(f"/sweeps/{sweep}/")
    page.locator(".sweep-plot svg").first.wait_for()


def compare_two_configurations(walk: Walk) -> None:
    page = walk.page
    open_teaching_cluster(walk)
    new_scenario(walk)
    scenario = page.url
    first = run_it(walk)
    page.goto(scenario)
    page.get_by_label("More").click()
    walk.button("Make a copy")
    expect(page).not_to_have_url(scenario)
    walk.press(page.locator("[data-configuration] > summary"), "Configuration of the scheduler")
    page.locator("#config").fill(CONFIGURATION)
    assert plain(CONFIGURATION) in plain(walk.text)
    expect(page.locator("[data-verdict]")).to_have_text("Nothing is wrong with it.")
    expect_saved(page)
    second = run_it(walk)
    walk.link("Outcome")
    walk.link("Compare with…")
    page.get_by_role("link", name=f"run {first}", exact=True).click()
    expect(page.locator("#compare")).to_have_attribute("data-loaded", "yes")
    walk.read(page.locator(".compare-say"), "newsletter-1")
    [answer] = walk.ask(A=first, B=second)
    assert answer["first_difference"]


def run_it_for_a_team(walk: Walk) -> None:
    page = walk.page
    page.goto("/accounts/users/")
    page.get_by_label("Name", exact=True).fill("frida")
    page.locator("form.panel").get_by_label("Role").select_option("operator")
    walk.button("Invite")
    walk.read(page.get_by_role("status"), "It works once, within ten minutes, and is not shown again.")
    row = page.get_by_role("row", name=re.compile("frida"))
    expect(row).to_contain_text("never")
    walk.ask()


def add_a_scheduler(walk: Walk) -> None:
    page = walk.page
    assert all(f"{name}={value} make run" in walk.text for name, value in ENVIRONMENT.items())
    waiting = [pod(name, cpu="3", schedulerName=SCHEDULER_NAME) for name in ("a", "b", "c")]
    snapshot = import_by_rest(walk.stack, "first-fit", listing(node("node-2"), node("node-1"), *waiting))
    page.goto(f"/snapshots/{snapshot}/")
    new_scenario(walk)
    page.get_by_label("Scheduler", exact=True).select_option(PROFILE)
    expect_saved(page)
    run_it(walk)
    walk.read(page.locator(".inspector"), "node-1")
    [words] = walk.ask()
    assert words["name"] == "First fit 1"


def run_of(stack: Stack, snapshot: int, planned: dict[str, Any]) -> int:
    """A finished run of a sample's scenario; its number."""
    fields = {name: planned[name] for name in ("name", "controllers") if name in planned}
    scheduler = {"profile": planned["profile"], "config": planned.get("config")}
    return run_by_rest(stack, scenario_by_rest(stack, snapshot, scheduler=scheduler, **fields))


def which_nodes_can_i_give_back(walk: Walk) -> None:
    page = walk.page
    snapshot = import_by_rest(walk.stack, "half-empty", half_empty())
    page.goto(f"/snapshots/{snapshot}/")
    walk.link("Consolidate")
    page.locator("[name=prices]").fill("pool=general: 0.768\npool=large: 1.36")
    walk.button("Find nodes")
    expect(page.locator(".rehearsal-lead h2")).to_contain_text("4 of 6 nodes can be given back")
    walk.link("Rehearse this order by the clock")
    page.locator(".rehearsal-chart").wait_for()
    page.go_back()
    expect(page.get_by_role("region", name="Nodes that stay")).to_contain_text("shop/solo")
    [answer] = walk.ask(SNAPSHOT=snapshot)
    assert answer["state"] in ("computing", "answered")


def half_empty() -> bytes:
    """Six nodes of two pools that a few pods would fit on, one of them without a controller."""
    nodes = [node(f"general-{number}", pool="general") for number in range(1, 5)]
    nodes += [node(f"large-{number}", cpu="8", pool="large") for number in (1, 2)]
    pods = [pod("solo", node="large-1", cpu="2")]
    for number, one in enumerate(nodes):
        web = pod(f"web-{number}", node=one["metadata"]["name"], cpu="1500m")
        owner = {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "name": "web",
            "uid": "web",
            "controller": True,
        }
        web["metadata"]["ownerReferences"] = [owner]
        pods.append(web)
    return listing(*nodes, *pods)


GUIDES: dict[str, tuple[Callable[[Walk], None], str]] = {
    "why-is-my-pod-pending": (why_is_my_pod_pending, "alice"),
    "can-i-drain-these-nodes": (can_i_drain_these_nodes, "alice"),
    "does-my-deployment-fit": (does_my_deployment_fit, "alice"),
    "how-many-more-fit": (how_many_more_fit, "alice"),
    "before-you-upgrade": (before_you_upgrade, "alice"),
    "which-nodes-can-i-give-back": (which_nodes_can_i_give_back, "alice"),
    "who-took-my-queues-share": (who_took_my_queues_share, "alice"),
    "which-gpu-policy": (which_gpu_policy, "alice"),
    "which-settings-suit-my-cluster": (which_settings_suit_my_cluster, "alice"),
    "compare-two-configurations": (compare_two_configurations, "alice"),
    "run-it-for-a-team": (run_it_for_a_team, "dora"),
    "what-came-of-it": (what_came_of_it, "dora"),
}
"""The walk of each guide, and the person who takes it."""
ALONE = "add-a-scheduler"
"""The guide that is walked in a product of its own: it is started with one scheduler more."""
ENVIRONMENT = {"SANDTABLE_SCHEDULERS": "tests.first_fit"}


def walked_alone(browser: Browser, stack: Stack, **options: Any) -> Page:
    """The page at the end of that guide's walk by one of the stack's people, in a browser of the caller's."""
    context = browser.new_context(base_url=stack.url, **options)
    context.set_default_timeout(ACTION_MILLISECONDS)
    context.add_cookies([stack.cookie_of("alice")])
    walk = Walk(context.new_page(), stack, ALONE)
    add_a_scheduler(walk)
    walk.check_all_was_pressed()
    return walk.page
