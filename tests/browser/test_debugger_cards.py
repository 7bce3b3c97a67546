"""HAMi's cards in the debugger: on the map's tiles, in the tabs of a decision, and one card in full."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hami_clusters import A100, asking, hami_run, machine, many_nodes
from tests.browser.pages import expect_to_fit, opened
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]
SHARED, PICKED, NOWHERE = 19, 20, 22
"""tune gets two cards beside others, last gets a whole node's, nowhere fits on no node."""


@pytest.fixture(scope="module")
def run(live_stack: Stack) -> int:
    """The run of the cluster of shared cards."""
    return hami_run(live_stack)


def test_the_cards_of_a_decision_stand_on_the_map_and_in_its_tab(
    page: Page, run: int, assert_accessible: Check
) -> None:
    opened(page, run, f"?at={SHARED}")
    expect(page.locator(".say")).to_contain_text("Goes to gpu-a01, cards 6 and 7. Of 5 nodes with room")
    expect(page.locator(".card-chain")).to_have_text("6 › kube 6 › HAMi 5 › binpack gpu-a01 › 2 of 8")
    expect(page.locator(".card-try.taken .card-name")).to_have_text(["card 7", "card 6"])
    expect(page.locator(".card-try.unseen")).to_have_count(6)
    expect(page.locator(".card-numa")).to_have_text(["NUMA 1", "NUMA 0"])
    taken = "gpu-a01/gpu-a01-gpu-6 gpu-a01/gpu-a01-gpu-7"
    page.wait_for_function(
        "taken => [...sandtable.map.cards.taken.keys()].sort().join(' ') === taken", arg=taken
    )
    assert_accessible(page)
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.wait_for_function("() => !document.getAnimations().length")  # colours of links go over softly
    assert_accessible(page)


def test_a_card_that_is_passed_over_says_why_with_its_figures(page: Page, run: int) -> None:
    opened(page, run, f"?at={PICKED}")
    chip = page.get_by_role("button", name="✕ gpu-a01")
    chip.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".card-reason")).to_contain_text(
        "2/8 CardInsufficientMemory, 6/8 AllocatedCardsInsufficientRequest"
    )
    refused = page.locator(".card-try.refused")
    expect(refused).to_have_count(2)
    expect(refused.first).to_contain_text("CardInsufficientMemory asks 40,960 MiB, 36,864 free")
    letters = "[...sandtable.map.cards.verdicts].map(([, letter]) => letter).sort().join('')"
    page.wait_for_function(f"letters => {letters} === letters", arg="mm↩↩↩↩↩↩")


def test_filter_scores_and_wire_tell_the_three_parties_apart(page: Page, run: int) -> None:
    opened(page, run, f"?at={PICKED}&tab=filter")
    stages = page.locator(".card-stage")
    expect(stages).to_contain_text(["kube-scheduler's filters", "HAMi, the extender", "Cards of gpu-a02"])
    panel = page.locator("#inspector-panel")
    expect(panel.locator(".band").filter(has_text="cards do not suffice")).to_contain_text("1")
    page.get_by_role("tab", name="Scores").click()
    expect(panel.get_by_role("row").filter(has_text="as it was")).to_contain_text("binpack")
    page.get_by_role("tab", name="Wire").click()
    expect(panel.locator(".card-wire b")).to_have_text(
        ["POST /webhook", "POST /filter", "annotations", "POST /bind", "device plugin"]
    )
    expect(panel.get_by_label("Answer of /filter", exact=True)).to_contain_text('"gpu-a02"')


def test_each_container_has_a_funnel_and_a_list_of_scores_of_its_own(page: Page, live_stack: Stack) -> None:
    both = asking("both", 4096, 10)
    first = both["spec"]["containers"][0]
    both["spec"]["containers"] = [{**first, "name": "main"}, {**first, "name": "side"}]
    number = hami_run(live_stack, "two-containers", [machine("a", "a100", 2, A100, 81920), both])
    opened(page, number, "?at=1&tab=filter")
    panel = page.locator("#inspector-panel")
    for container in ("main", "side"):
        funnel = panel.get_by_role("group", name=f"Cards by HAMi's reason: {container}, NVIDIA")
        expect(funnel.locator(".band").first).to_contain_text("2 cards")
    page.get_by_role("tab", name="Scores").click()
    expect(panel.get_by_text("main, NVIDIA")).to_be_visible()
    expect(panel.locator(".card-bar-name").filter(has_text="1. card")).to_have_count(2)


def test_the_wire_begins_with_the_webhooks_review_and_patch(
    page: Page, run: int, assert_accessible: Check
) -> None:
    opened(page, run, "?at=1&tab=wire")
    panel = page.locator("#inspector-panel")
    first = panel.locator(".card-wire li").first
    expect(first).to_contain_text("when the pod was created")
    expect(first.locator("p")).to_have_text("replace spec.schedulerName: hami-scheduler")
    expect(panel.get_by_label("Review to /webhook", exact=True)).to_contain_text('"default-scheduler"')
    expect(panel.get_by_label("Its patch", exact=True)).to_contain_text('"/spec/schedulerName"')
    assert_accessible(page)


def test_a_pod_that_no_card_takes_has_nodes_by_reasons_and_hamis_events(
    page: Page, run: int, assert_accessible: Check
) -> None:
    opened(page, run, f"?at={NOWHERE}")
    expect(page.locator(".say")).to_contain_text("Fits on none of 6 nodes")
    expect(page.locator(".card-matrix tbody tr")).to_have_count(5)
    page.locator(".card-matrix").get_by_role("button", name="gpu-a01").click()
    expect(page.locator(".card-try.refused")).to_have_count(8)
    assert_accessible(page)
    page.get_by_role("tab", name="Events").click()
    expect(page.locator(".kubectl-event p").nth(1)).to_have_text("no available node, 6 nodes do not meet")


def test_how_fragmented_the_cards_are(page: Page, run: int, assert_accessible: Check) -> None:
    opened(page, run, f"?at={NOWHERE}")
    page.get_by_role("button", name="how fragmented?").click()
    card = page.get_by_role("region", name="cards all")
    expect(card).to_contain_text("of the free card memory")
    expect(card.get_by_role("row")).to_have_count(4)
    expect(card).to_contain_text("On 1 more node all card memory is held.")
    assert_accessible(page)
    card.get_by_role("tab", name="By shape").click()
    row = card.get_by_role("row").filter(has_text="8 × 81,920 MiB, 100 cores")
    expect(row.get_by_role("cell").nth(1)).to_have_text("0")


def test_whose_requests_count_is_chosen_and_stands_in_the_address(
    page: Page, run: int, assert_accessible: Check
) -> None:
    opened(page, run, f"?at={PICKED}&card=cards/all")
    card = page.get_by_role("region", name="cards all")
    expect(card).to_contain_text("averaged over the 7 shapes of this run")
    choice = card.get_by_label("For requests")
    choice.focus()
    page.keyboard.press("ArrowDown")
    expect(card).to_contain_text("averaged over the 4 shapes that wait")
    expect(choice).to_be_focused()
    choice.select_option("of my own")
    card.get_by_label("cards", exact=True).fill("8")
    card.get_by_label("MiB each").fill("81920")
    card.get_by_label("cores each").fill("100")
    card.get_by_label("cores each").press("Enter")
    expect(card).to_contain_text("One more such pod (8 × 81,920 MiB, 100 cores) can't use")
    assert_accessible(page)
    page.wait_for_url("**mix=NVIDIA%3A8%3A81920%3A100**")
    page.reload()
    expect(card).to_contain_text("One more such pod (8 × 81,920 MiB, 100 cores) can't use")
    card.get_by_role("tab", name="By shape").click()
    expect(card.get_by_role("row").filter(has_text="8 × 81,920 MiB")).to_contain_text("100 %")


def test_however_many_nodes_there_are_each_says_why_it_was_turned_down(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    opened(page, hami_run(live_stack, "many-nodes", many_nodes()), "?at=1")
    page.wait_for_function("() => sandtable.map.cards.letters.size === 9")
    assert page.evaluate("() => sandtable.map.cards.lettersShown().join()") == "m"
    cores = page.locator(".legend").get_by_text("cores used")
    expect(cores).to_have_count(page.evaluate("() => sandtable.map.detail === 'large' ? 1 : 0"))
    page.evaluate("() => sandtable.map.viewport.zoom(0.01)")
    page.evaluate("() => sandtable.map.viewport.zoom(9)")
    expect(cores).to_have_count(1)
    page.locator(".cluster").get_by_role("button", name="table").click()
    row = page.get_by_role("row").filter(has_text="small-0")
    expect(row).to_contain_text("HAMi: 8/8 CardInsufficientMemory")
    expect(row.get_by_role("button", name="card 3:")).to_have_accessible_name(
        "card 3: 0 of 46,068 MiB, 0 of 100 cores, 0 of 10 slots, passed over: CardInsufficientMemory"
    )
    assert_accessible(page)
    page.get_by_role("tab", name="Filter").click()
    expect(page.locator(".band").filter(has_text="CardInsufficientMemory")).to_contain_text("9")
    page.get_by_role("tab", name="Cards").click()
    page.get_by_label("another node").select_option("small-8")
    expect(page.locator(".card-try.refused")).to_have_count(8)


def test_one_card_in_full_says_who_holds_it_since_when(page_of: Callable[..., Page], run: int) -> None:
    page = opened(page_of("alice", viewport={"width": 390, "height": 844}), run, f"?at={PICKED}")
    page.evaluate("() => sandtable.reading.set({ card: 'card/gpu-a01/gpu-a01-gpu-7' })")
    card = page.get_by_role("region", name="device card gpu-a01/gpu-a01-gpu-7")
    expect(card).to_contain_text("36,864 MiB and 56 cores are free, and 7 slots.")
    expect(card.get_by_role("row")).to_contain_text(["pod", "chat-0", "embed-5", "tune"])
    expect_to_fit(page, 390)
    assert "card=card%2Fgpu-a01" in page.evaluate("() => sandtable.address.link")
    card.get_by_role("button", name="decision 19").click()
    expect(page.locator("[data-part=at]")).to_have_value("19")
