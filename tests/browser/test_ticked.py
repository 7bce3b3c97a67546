"""One action on many rows: ticked in a table, said in numbers, made as one edit of the open draft."""

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tests import builders
from tests.browser.clusters import expect_saved, import_by_rest
from tests.browser.pages import Hand
from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]
BUDGET = {
    "apiVersion": "policy/v1", "kind": "PodDisruptionBudget",
    "metadata": {"name": "keep", "namespace": "shop", "uid": "uid-keep"},
    "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "kept"}}},
    "status": {"disruptionsAllowed": 5},
}  # fmt: skip


def name_of(number: int) -> str:
    return f"ip-10-12-0-{number}.eu-central-1.compute.internal"


def cloud() -> bytes:
    """Sixty nodes in two pools, twenty of them old, and a pod on each of these."""
    nodes = [
        node(name_of(n), **{"eks.amazonaws.com/nodegroup": "old" if n < 20 else "new"}) for n in range(60)
    ]
    pods = [pod(f"web-{n}", node=name_of(n), cpu="1") for n in range(20)]
    for one in pods[:3]:
        one["metadata"]["labels"] = {"app": "kept"}
    return listing(*nodes, *pods, BUDGET)


def edits_of(stack: Stack, page: Page) -> list[dict[str, object]]:
    number = page.url.rstrip("/").rpartition("/")[2]
    answer = stack.request("GET", f"/api/v1/scenarios/{number}/", who="alice")[1]
    return list(answer["edits"])


def test_twenty_nodes_are_drained_from_the_snapshots_page_in_six_clicks(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    page.goto(f"/snapshots/{import_by_rest(live_stack, 'cloud', cloud())}/")
    hand = Hand()
    hand.press(page.get_by_role("link", name="Nodes 60"))
    page.get_by_label("pool").select_option("old")
    hand.clicks += 2  # the list opens, and a line of it is taken
    expect(page.locator("[data-total]")).to_have_text("1–20 of 20")
    hand.press(page.get_by_label("Tick all rows of this page"))
    foot = page.get_by_role("form", name="Ticked rows")
    expect(foot).to_contain_text("20 nodes ticked: 20 pods leave in a drain, 1 budget is touched")
    assert_accessible(page)
    hand.press(foot.get_by_role("button", name="Drain"))
    expect(page.locator(".edit-sentence")).to_have_text("Drain 20 nodes: asks for 20 evictions")
    hand.press(page.get_by_role("button", name="Run", exact=True))
    page.wait_for_url("**/runs/*/")
    assert hand.clicks <= 6


def test_nothing_is_done_to_a_page_of_rows_while_all_that_match_are_being_ticked(
    page: Page, live_stack: Stack
) -> None:
    held: list[Route] = []
    page.route("**/nodes/?format=json*", lambda route: held.append(route))
    page.goto(f"/snapshots/{import_by_rest(live_stack, 'all-ticked', cloud())}/nodes/")
    page.get_by_label("Tick all rows of this page").check()
    foot = page.get_by_role("form", name="Ticked rows")
    foot.get_by_role("button", name="Tick all 60").click()
    expect(foot).to_contain_text("50 nodes ticked: ticking all 60 …")
    expect(foot.get_by_role("button", name="Drain")).to_be_disabled()
    page.keyboard.press("d")
    foot.get_by_label("Untick all").click()
    expect(foot).to_be_hidden()
    with page.expect_response("**/nodes/?format=json*"):
        held[0].continue_()
    page.get_by_label("Tick all rows of this page").check()
    expect(foot.get_by_role("button", name="Drain")).to_be_enabled()
    foot.get_by_role("button", name="Tick all 60").click()
    with page.expect_response("**/nodes/?format=json*"):
        held[1].continue_()
    expect(foot).to_contain_text("60 nodes ticked:")
    expect(foot.get_by_role("button", name="Tick all 60")).to_be_hidden()
    foot.get_by_role("button", name="Drain").click()
    page.wait_for_url("**/scenarios/*/")
    assert edits_of(live_stack, page) == [{"op": "drain", "nodes": [name_of(n) for n in range(60)]}]


def test_edits_of_several_pages_go_to_one_draft(page: Page, live_stack: Stack) -> None:
    snapshot = import_by_rest(live_stack, "one-draft", cloud())
    page.goto(f"/snapshots/{snapshot}/nodes/")
    page.get_by_label(f"Tick {name_of(1)}", exact=True).check()
    page.get_by_role("button", name="Cordon", exact=True).click()
    page.wait_for_url("**/scenarios/*/")
    draft = page.url
    page.goto(f"/snapshots/{snapshot}/pods/")
    page.get_by_label("Tick shop/web-2", exact=True).check()
    foot = page.get_by_role("form", name="Ticked rows")
    expect(foot).to_contain_text("1 edit so far")
    expect(foot).to_contain_text("1 pod ticked: 1 pod leaves, 1 budget is touched")
    foot.get_by_role("button", name="Evict").click()
    page.wait_for_url(draft)
    assert [edit["op"] for edit in edits_of(live_stack, page)] == ["cordon", "evict"]
    page.goto(f"/snapshots/{snapshot}/pods/")
    page.get_by_label("Tick shop/web-3", exact=True).check()
    page.get_by_label("to a new scenario").check()
    foot.get_by_role("button", name="Evict").click()
    page.wait_for_url("**/scenarios/*/")
    assert page.url != draft


def test_keys_tick_rows_and_drain_them(page: Page, live_stack: Stack) -> None:
    page.goto(f"/snapshots/{import_by_rest(live_stack, 'keys', cloud())}/nodes/")
    expect(page.get_by_label("Tick all rows of this page")).to_be_enabled()
    for key in ("ArrowDown", "ArrowDown", "x", "ArrowDown", "ArrowDown", "Shift+x"):
        page.keyboard.press(key)
    expect(page.locator("[data-ticked-count]")).to_have_text("3 nodes ticked:")
    page.get_by_role("link", name="Next").click()
    expect(page.locator("[data-tick]")).to_have_count(10)
    expect(page.locator("[data-ticked-count]")).to_have_text("3 nodes ticked:")
    page.keyboard.press("d")
    page.wait_for_url("**/scenarios/*/")
    assert edits_of(live_stack, page) == [{"op": "drain", "nodes": [name_of(n) for n in (1, 2, 3)]}]


def test_nodes_of_the_map_are_ticked_opened_and_drained_by_keys(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    page.goto(f"/snapshots/{import_by_rest(live_stack, 'mapped', cloud())}/nodes/?pool=old")
    page.keyboard.press("m")
    expect(page.get_by_label("fill")).to_be_enabled()
    page.get_by_role("img", name="Map of 20 nodes").focus()
    for key in ("ArrowRight", "x", "ArrowRight", "ArrowRight", "x"):
        page.keyboard.press(key)
    expect(page.locator("[data-ticked-count]")).to_have_text("2 nodes ticked:")
    page.keyboard.press("Enter")
    expect(page.locator("#drawer-title")).to_contain_text(name_of(2))
    assert_accessible(page)
    page.keyboard.press("Escape")
    page.get_by_label("Pool", exact=True).select_option("new")
    expect(page.get_by_role("img", name="Map of 40 nodes")).to_be_visible()
    page.keyboard.press("m")
    expect(page.locator("[data-total]")).to_have_text("1–40 of 40")
    page.go_back()
    expect(page.get_by_label("fill")).to_be_enabled()


def test_nodes_are_pasted_chosen_by_labels_or_by_group(page: Page, live_stack: Stack) -> None:
    page.goto(f"/snapshots/{import_by_rest(live_stack, 'pasted', cloud())}/")
    page.get_by_role("button", name="New scenario").click()
    page.get_by_role("button", name="Cordon", exact=True).click()
    field = page.get_by_label("Nodes", exact=True)
    field.fill(f"{name_of(1)}, {name_of(2)}\n{name_of(3)} nowhere")
    expect(page.locator("[data-meant]")).to_have_text("4 nodes; not in the snapshot: nowhere")
    page.get_by_role("button", name="labels", exact=True).click()
    page.get_by_label("Nodes", exact=True).fill("eks.amazonaws.com/nodegroup=old")
    expect(page.locator("[data-meant]")).to_have_text("20 nodes match")
    expect(page.locator(".edit-sentence")).to_have_text("Cordon 20 nodes")
    page.get_by_role("button", name="group", exact=True).click()
    page.get_by_label("Nodes", exact=True).fill("pool=new")
    expect(page.locator("[data-meant]")).to_have_text("40 nodes match")
    expect_saved(page)
    assert edits_of(live_stack, page) == [{"op": "cordon", "group": "pool=new"}]


def test_a_group_of_nodes_is_added_by_a_form(page: Page, live_stack: Stack, assert_accessible: Check) -> None:
    page.goto(f"/snapshots/{import_by_rest(live_stack, 'group', cloud())}/")
    page.get_by_role("button", name="New scenario").click()
    page.get_by_role("button", name="Node group").click()
    page.get_by_label("Names begin with").fill("pool-b-")
    page.get_by_label("How many").fill("6")
    page.get_by_label("Or of this size").fill("cpu=16, memory=64Gi")
    page.get_by_label("Over these zones").fill("a b c")
    page.get_by_label("Taints").fill("team=b:NoSchedule")
    expect(page.locator(".edit-sentence")).to_have_text("Add 6 nodes in 3 zones (pool-b-1 … pool-b-6)")
    figure = page.locator("[data-figures] tr")
    expect(figure.filter(has_text="nodes")).to_contain_text("+6")
    expect(figure.filter(has_text="cpu allocatable")).to_contain_text("+96")
    assert_accessible(page)
    expect_saved(page)
    assert edits_of(live_stack, page) == [
        {
            "op": "add-nodes", "namePrefix": "pool-b-", "count": 6,
            "allocatable": {"cpu": "16", "memory": "64Gi"}, "zones": ["a", "b", "c"],
            "taints": ["team=b:NoSchedule"],
        }
    ]  # fmt: skip


def shop() -> bytes:
    """Two StatefulSets with four pods on two nodes, and one without any."""
    objects = [node(name_of(n), cpu="8") for n in range(2)]
    for name, replicas in (("web", 3), ("cart", 1), ("idle", 0)):
        one = builders.workload("StatefulSet", name, replicas=replicas, uid=f"uid-{name}")
        objects.append(one)
        objects += [
            builders.pod(f"{name}-{n}", namespace="shop", on=name_of(n % 2), owner=one, labels={"app": name})
            for n in range(replicas)
        ]
    return listing(*objects)


def test_ticked_workloads_are_scaled_changed_and_deleted_each_after_its_consequence_is_said(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    address = f"/snapshots/{import_by_rest(live_stack, 'workloads', shop())}/workloads/"
    foot = page.get_by_role("form", name="Ticked rows")

    def tick(*names: str) -> None:
        page.goto(address)
        for name in names:
            page.get_by_label(f"Tick StatefulSet/shop/{name}", exact=True).check()

    tick("web", "cart")
    expect(foot).to_contain_text("2 workloads ticked: Evict their pods: 4 pods leave, no budget is touched")
    foot.get_by_role("button", name="Scale to 0").hover()
    expect(foot).to_contain_text("Scale to 0: pods 4 → 0")
    foot.get_by_role("button", name="Scale…").click()
    foot.get_by_label("Replicas").fill("5")
    expect(foot).to_contain_text("Scale: pods 4 → 10")
    assert_accessible(page)
    foot.get_by_role("button", name="Scale…").click()
    expect(page.locator(".edit-sentence")).to_have_text(
        ["Scale StatefulSet shop/web from 3 to 5 pods", "Scale StatefulSet shop/cart from 1 to 5 pods"]
    )
    tick("web", "idle")
    foot.get_by_role("button", name="Change their pods…").click()
    foot.get_by_label("CPU that each asks for").fill("2")
    foot.get_by_label("CPU that each asks for").press("Enter")
    page.wait_for_url("**/scenarios/*/")
    tick("web", "cart")
    foot.get_by_role("button", name="Delete").click()
    page.wait_for_url("**/scenarios/*/")
    edits = edits_of(live_stack, page)
    assert [edit["op"] for edit in edits] == ["scale", "scale", "set-workload", "set-workload", "delete"]
    assert edits[2]["cpu"] == "2"
    assert edits[4]["names"] == ["web", "cart"]


def test_ticked_nodes_are_rehearsed_without_a_scenario(page: Page, live_stack: Stack) -> None:
    number = import_by_rest(live_stack, "upgrade", cloud())
    page.goto(f"/snapshots/{number}/nodes/")
    foot = page.get_by_role("form", name="Ticked rows")
    for node_number in (3, 7):
        page.get_by_label(f"Tick {name_of(node_number)}").check()
    foot.get_by_role("button", name="Rehearse").click()
    page.wait_for_url(f"**/snapshots/{number}/rehearsal/**")
    expect(page.locator("input[name=nodes][required]")).to_have_value(f"{name_of(3)} {name_of(7)}")
    expect(page.locator(".rehearsal-lead")).to_contain_text("of 2 nodes")


def test_more_names_than_an_address_holds_are_rehearsed_by_a_group(page: Page, live_stack: Stack) -> None:
    number = import_by_rest(live_stack, "many", listing(*(node(f"{'n' * 60}-{n}") for n in range(120))))
    page.goto(f"/snapshots/{number}/nodes/")
    page.get_by_label("Tick all rows of this page").check()
    foot = page.get_by_role("form", name="Ticked rows")
    foot.get_by_role("button", name="Tick all 120").click()
    expect(foot).to_contain_text("120 nodes ticked")
    foot.get_by_role("button", name="Rehearse").click()
    expect(foot).to_contain_text("too long for one address: rehearse a group or labels")
    assert page.url.endswith(f"/snapshots/{number}/nodes/")
