"""The scenario editor: forms and YAML in step, order, switches, validation, saving, running."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.clusters import expect_saved, import_by_rest, scenario_by_rest
from tests.dashboard.rows import guarded_node, listing, node, pod
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]


def open_editor(page: Page, stack: Stack, *edits: dict[str, object]) -> int:
    """The editor of a new scenario with these edits; the scenario's number."""
    scenario = scenario_by_rest(stack, import_by_rest(stack, "edited"), *edits)
    page.goto(f"/scenarios/{scenario}/")
    expect(page.locator("[data-verdict]")).not_to_have_text("…")
    return scenario


def stored_edits(stack: Stack, scenario: int) -> object:
    """The edits as REST gives them."""
    return stack.request("GET", f"/api/v1/scenarios/{scenario}/", who="alice")[1]["edits"]


def edit(page: Page, number: int) -> Locator:
    """One edit of the stack, counted from 1."""
    return page.locator(".edit").nth(number - 1)


def test_a_form_changes_the_yaml_and_the_yaml_the_form(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    scenario = open_editor(page, live_stack)
    page.get_by_role("button", name="Resize").click()
    expect(edit(page, 1)).to_contain_text("No change of edits is saved until then.")
    page.get_by_label("Delete edit 1").click()
    page.get_by_role("button", name="Drain").click()
    expect(edit(page, 1)).to_contain_text("still to fill in: Node")
    expect(edit(page, 1)).not_to_contain_text("saved until then")
    edit(page, 1).get_by_label("Node").fill("node-1")
    expect(edit(page, 1)).to_contain_text("Drain node-1")
    edit(page, 1).get_by_role("button", name="YAML").click()
    area = edit(page, 1).get_by_label("The edit as YAML")
    expect(area).to_have_value("op: drain\nnode: node-1\n")
    assert_accessible(page)
    area.fill("op: drain\nnode: node-2\n")
    expect(edit(page, 1)).to_contain_text("Drain node-2")
    edit(page, 1).get_by_role("button", name="Form").click()
    expect(edit(page, 1).get_by_label("Node")).to_have_value("node-2")
    expect_saved(page)
    assert stored_edits(live_stack, scenario) == [{"op": "drain", "node": "node-2"}]


def test_what_has_a_value_of_its_own_needs_not_be_filled_in(page: Page, live_stack: Stack) -> None:
    open_editor(page, live_stack, {"op": "clone-node", "node": "node-1"})
    expect(edit(page, 1)).to_contain_text("node-1-1")
    expect(edit(page, 1)).not_to_contain_text("still to fill in")


def test_what_is_wrong_stands_beside_its_edit_and_stops_the_run(page: Page, live_stack: Stack) -> None:
    open_editor(page, live_stack, {"op": "cordon", "node": "node-1"}, {"op": "cordon", "node": "nowhere"})
    expect(edit(page, 2)).to_contain_text("there is no Node nowhere")
    expect(page.get_by_role("button", name="Run")).to_be_disabled()
    edit(page, 2).locator(".edit-toggle").click()
    expect(edit(page, 2).locator('[data-unread="nodes"]')).to_have_text("there is no Node nowhere")
    edit(page, 2).get_by_role("button", name="labels").click()
    edit(page, 2).get_by_role("textbox", name="Nodes").fill("zone in (")
    expect(edit(page, 2).locator('[data-unread="nodes"]')).to_contain_text("is no label selector")
    expect(page.locator("[data-verdict]")).to_have_text("1 problem to mend before it can run.")
    edit(page, 2).get_by_role("button", name="names").click()
    page.get_by_role("switch", name="Edit 2 takes part").click()
    expect(page.locator("[data-verdict]")).to_have_text("Nothing is wrong with it.")
    expect(page.get_by_role("button", name="Run")).to_be_enabled()


def test_the_editor_foresees_what_a_drain_will_be_refused(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    snapshot = import_by_rest(live_stack, "guarded", listing(*guarded_node()))
    page.goto(f"/scenarios/{scenario_by_rest(live_stack, snapshot, {'op': 'drain', 'node': 'node-1'})}/")
    expect(edit(page, 1).locator(".edit-verdict")).to_contain_text(
        "1 of 2 evictions refused by PodDisruptionBudget shop/search: shop/search-0 stays on node-1"
    )
    expect(page.locator("[data-verdict]")).to_have_text(
        "It can run, but 1 edit does not do all that is asked."
    )
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled()
    assert_accessible(page)


def test_edits_are_reordered_switched_and_deleted_by_keyboard(page: Page, live_stack: Stack) -> None:
    scenario = open_editor(
        page, live_stack, {"op": "cordon", "node": "node-1"}, {"op": "cordon", "node": "node-2"}
    )
    edit(page, 2).locator(".edit-toggle").focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(edit(page, 1)).to_contain_text("node-2")
    expect(edit(page, 1).locator(".edit-toggle")).to_be_focused()
    edit(page, 2).get_by_role("switch").press("Space")
    expect(edit(page, 2)).to_contain_text("switched off")
    expect_saved(page)
    assert stored_edits(live_stack, scenario) == [
        {"op": "cordon", "node": "node-2"},
        {"op": "cordon", "node": "node-1", "enabled": False},
    ]
    edit(page, 1).get_by_role("button", name="Delete edit 1").press("Enter")
    expect(page.locator(".edit")).to_have_count(1)


def test_edits_are_reordered_by_mouse(page: Page, live_stack: Stack) -> None:
    open_editor(page, live_stack, {"op": "cordon", "node": "node-1"}, {"op": "cordon", "node": "node-2"})
    edit(page, 2).locator(".grip").drag_to(edit(page, 1), target_position={"x": 200, "y": 4})
    expect(edit(page, 1)).to_contain_text("node-2")


def test_the_effect_of_the_edits_is_counted(page: Page, live_stack: Stack) -> None:
    open_editor(page, live_stack, {"op": "clone-node", "node": "node-1", "count": 2, "namePrefix": "more-"})
    expect(page.locator("[data-figures] tr", has_text="nodes")).to_contain_text("+2")
    expect(page.locator("[data-figures] tr", has_text="cpu allocatable")).to_contain_text("+8")
    expect(page.locator("[data-figures]")).not_to_contain_text("same")
    expect(page.locator("[data-same] summary")).to_have_text(re.compile(r"^\d+ figures stay the same$"))


def test_the_editor_says_which_pods_of_the_snapshot_a_run_is_without(page: Page, live_stack: Stack) -> None:
    done = pod("done", node="node-1")
    done["status"]["phase"] = "Succeeded"
    content = listing(node("node-1"), done, pod("waits"))
    page.goto(f"/scenarios/{scenario_by_rest(live_stack, import_by_rest(live_stack, 'done', content))}/")
    start = page.get_by_role("complementary", name="Snapshot")
    expect(start).to_contain_text("2 pods, of which 1 has ended: a run is without it")
    expect(page.locator("[data-figures]")).to_have_text("nothing before the first decision")
    page.locator("[data-same] summary").click()
    row = page.locator("[data-same] tr", has_text="pods that have not ended")
    expect(row).to_contain_text("1")


def test_while_a_worker_tries_a_large_cluster_the_editor_says_so_and_it_can_be_ended(
    page: Page, live_stack: Stack
) -> None:
    told: list[dict[str, object]] = [{"untried": "The cluster is being built.", "preparing": True}]

    def answer(route: Route) -> None:
        if route.request.method == "DELETE":
            told[:] = [{"untried": "It was ended.", "ended": True}]
        elif "again=true" in route.request.url:
            told.clear()
        if not told:
            route.continue_()
            return
        nothing = {"edits": [], "problems": [], "figures": [], "trust": None, "left_alone": []}
        route.fulfill(json={**nothing, "preparing": False, "ended": False, **told[0]})

    page.route("**/validate/**", answer)
    open_editor(page, live_stack, {"op": "clone-node", "node": "node-1", "count": 2})
    verdict, figures = page.locator("[data-verdict]"), page.locator("[data-figures]")
    expect(verdict).to_have_text("The cluster is being built.")
    expect(figures).to_have_text("known once they are tried")
    expect(page.get_by_role("button", name="Run")).to_be_enabled()
    page.get_by_role("button", name="End", exact=True).click()
    expect(verdict).to_have_text("It was ended.")
    page.get_by_role("button", name="Try again").click()
    expect(figures.locator("tr", has_text="nodes")).to_contain_text("+2")
    expect(verdict).to_have_text("Nothing is wrong with it.")
    expect(page.get_by_role("button", name="Try again")).to_be_hidden()
    told.append({"untried": "The cluster is being built.", "preparing": True})
    page.get_by_role("switch").first.uncheck()
    expect(page.locator(".old-figures [data-figures] tr", has_text="nodes")).to_contain_text("+2")


def test_a_change_by_somebody_else_is_not_overwritten_silently(page: Page, live_stack: Stack) -> None:
    scenario = open_editor(page, live_stack)
    headers = {"If-Match": '"1"'}
    live_stack.request(
        "PATCH", f"/api/v1/scenarios/{scenario}/", {"name": "theirs"}, who="alice", headers=headers
    )
    page.get_by_label("Name of the scenario").fill("mine")
    expect(page.get_by_text("Somebody else has changed this scenario")).to_be_visible()
    page.get_by_role("button", name="Keep mine").click()
    expect_saved(page)
    assert live_stack.request("GET", f"/api/v1/scenarios/{scenario}/", who="alice")[1]["name"] == "mine"


def test_running_saves_first_and_opens_the_run(page: Page, live_stack: Stack) -> None:
    scenario = open_editor(page, live_stack)
    page.get_by_role("button", name="Cordon", exact=True).click()
    edit(page, 1).get_by_label("Node").fill("node-3")
    page.get_by_role("button", name="Run").click()
    page.wait_for_url("**/runs/*/**")
    assert stored_edits(live_stack, scenario) == [{"op": "cordon", "node": "node-3"}]


def test_a_viewer_looks_and_changes_nothing(page_of: Callable[..., Page], live_stack: Stack) -> None:
    page = page_of("bob")
    open_editor(page, live_stack, {"op": "cordon", "node": "node-1"})
    expect(page.get_by_label("Name of the scenario")).to_be_disabled()
    expect(page.get_by_role("button", name="Run")).to_be_disabled()
    expect(page.get_by_role("switch")).to_have_count(0)


def fields_of(page: Page, *edits: dict[str, object], stack: Stack) -> int:
    """The editor with its first edit open; the scenario's number."""
    scenario = open_editor(page, stack, *edits)
    edit(page, 1).locator(".edit-toggle").click()
    return scenario


def expect_blocked(page: Page, problems: int = 1) -> None:
    """The page says that something has to be mended, and neither way of running is open."""
    expect(page.locator("[data-verdict]")).to_contain_text(f"{problems} problem")
    expect(page.locator("[data-save-state]")).to_have_text("not saved")
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_disabled()
    page.get_by_text("Run under another version…").click()
    expect(page.locator("[data-run-under]")).to_contain_text("It can run once its problems are mended.")
    expect(page.get_by_role("button", name="kube-scheduler 1.8")).to_be_disabled()
    page.keyboard.press("Escape")


def test_a_number_that_is_none_stands_beside_its_field_and_stops_the_run(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    copies = {"op": "clone-node", "node": "node-1", "count": 2, "namePrefix": "more-"}
    scenario = fields_of(page, copies, stack=live_stack)
    field = edit(page, 1).get_by_label("Copies")
    for text in ("-1", "2.5", "100001", ""):
        field.fill(text)
        expect(edit(page, 1).get_by_text("Give a whole number from 0 to 100,000.")).to_be_visible()
        expect(field).to_have_attribute("aria-invalid", "true")
    expect_blocked(page)
    assert_accessible(page)
    field.fill("-1")
    edit(page, 1).get_by_role("button", name="Delete edit 1").click()
    page.get_by_role("button", name="Undo").click()
    expect(field).to_have_value("-1")
    edit(page, 1).locator(".edit-toggle").click()
    expect(edit(page, 1).locator(".edit-verdict")).to_contain_text("Copies: Give a whole number")
    assert stored_edits(live_stack, scenario) == [copies]
    edit(page, 1).locator(".edit-toggle").click()
    field.fill("3")
    expect(page.locator("[data-verdict]")).to_have_text("Nothing is wrong with it.")
    expect_saved(page)
    assert stored_edits(live_stack, scenario) == [{**copies, "count": 3}]


def test_an_edit_is_turned_over_as_soon_as_what_was_typed_has_been_read(
    page: Page, live_stack: Stack
) -> None:
    patch = {"op": "patch", "kind": "Node", "name": "node-1", "patch": {"metadata": {"labels": {"a": "b"}}}}
    fields_of(page, patch, stack=live_stack)
    area = edit(page, 1).get_by_label("Merge patch (YAML)")
    expect(area).to_have_value("metadata:\n  labels:\n    a: b\n")
    area.fill("metadata: {labels: {a: c}}")
    edit(page, 1).get_by_role("button", name="YAML").evaluate("button => button.click()")
    expect(edit(page, 1).get_by_label("The edit as YAML")).to_have_value(re.compile("a: c"))


def test_an_unreadable_patch_is_kept_till_it_is_mended(page: Page, live_stack: Stack) -> None:
    patch = {"op": "patch", "kind": "Node", "name": "node-1", "patch": {"metadata": {"labels": {"a": "b"}}}}
    scenario = fields_of(page, patch, {"op": "cordon", "node": "node-2"}, stack=live_stack)
    area = edit(page, 1).get_by_label("Merge patch (YAML)")
    expect(area).to_have_value("metadata:\n  labels:\n    a: b\n")
    area.fill("metadata: [1")
    expect(edit(page, 1).locator('[data-unread="patch"]')).to_contain_text("YAML")
    expect_blocked(page)
    expect(edit(page, 1).get_by_role("button", name="YAML")).to_be_disabled()
    edit(page, 2).get_by_role("button", name="Delete edit 2").click()
    expect(area).to_have_value("metadata: [1")
    expect_blocked(page)
    area.fill("metadata: {labels: {a: c}}")
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url("**/runs/*/**")
    assert stored_edits(live_stack, scenario) == [{**patch, "patch": {"metadata": {"labels": {"a": "c"}}}}]


def test_seed_and_name_say_what_is_wrong_with_them(page: Page, live_stack: Stack) -> None:
    scenario = open_editor(page, live_stack)
    page.get_by_label("Among equal nodes").fill("1.5")
    expect(page.locator("#seed-problem")).to_contain_text("Give a whole number")
    page.get_by_label("Name of the scenario").fill("   ")
    expect(page.locator("#name-problem")).to_have_text("Give it a name.")
    expect_blocked(page, 2)
    page.get_by_label("Among equal nodes").fill("15")
    page.get_by_label("Name of the scenario").fill("named")
    expect_saved(page)
    body = live_stack.request("GET", f"/api/v1/scenarios/{scenario}/", who="alice")[1]
    assert (body["name"], body["seed"]) == ("named", 15)


def test_the_last_change_of_the_edits_is_undone_by_button_and_by_key(page: Page, live_stack: Stack) -> None:
    scenario = open_editor(page, live_stack, {"op": "cordon", "node": "node-1"})
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    edit(page, 1).locator(".edit-toggle").click()
    edit(page, 1).get_by_label("Nodes", exact=True).fill("node-2")
    page.get_by_role("button", name="Drain", exact=True).click()
    expect(page.locator(".edit")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".edit")).to_have_count(1)
    page.get_by_role("heading", name="What happens").click()
    page.keyboard.press("Control+z")
    expect(edit(page, 1).get_by_label("Nodes", exact=True)).to_have_value("node-1")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    expect_saved(page)
    assert stored_edits(live_stack, scenario) == [{"op": "cordon", "node": "node-1"}]
