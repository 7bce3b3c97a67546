"""The printers: each part of a sentence in each medium, escaped, with its plural, unit and link."""

import msgspec
import pytest

from dashboard.answers.answer import Answer, Column, Line, Table
from dashboard.answers.printers.file import About, html_file
from dashboard.answers.printers.html import html
from dashboard.answers.printers.markdown import markdown
from dashboard.answers.printers.node_names import Cut, common_parts
from dashboard.answers.printers.text import text
from dashboard.answers.printers.words import plain
from dashboard.answers.sentence import (
    Name,
    Names,
    Number,
    Part,
    Place,
    Words,
    amount,
    decision,
    number,
    sentence,
    strong,
    times,
)

CART = Name("workload", "cart", "shop", of="Deployment")


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (number(1, "pod"), "1 pod"),
        (number(0, "pod"), "0 pods"),
        (number(1200, "copy,copies"), "1,200 copies"),
        (number(3, "pod", signed=True), "+3 pods"),
        (number(-3, signed=True), "−3"),
        (number(0, "pod", signed=True), "same"),
        (times(34), "×34"),
        (Number(350, measure="milli-CPU"), "350m"),
        (Number(2**31, measure="bytes", signed=True), "+2 GiB"),
        (Number(12_500, measure="milliseconds"), "12.5 s"),
        (Number(0.999, measure="share"), ">99 %"),
        (CART, "shop/cart"),
        (decision(7, 14), "decision 14"),
        (Name("run", "20", at=Place(run=20)), "run 20"),
        (Name("snapshot", "prod-eu", at=Place(snapshot=2)), "prod-eu"),
        (Names([Name("node", "n1")]), "n1"),
        (Names([Name("node", "n1"), Name("node", "n2"), Name("node", "n3")]), "n1, n2 and n3"),
        (Names([Name("node", "n1"), Name("node", "n2")], others=1), "n1, n2 and 1 other"),
        (Words("0/3 nodes are available"), "0/3 nodes are available"),
    ],
)
def test_a_part_in_words(part: Part, words: str) -> None:
    assert plain([part]) == words


def test_an_amount_goes_with_its_resource() -> None:
    assert (
        plain(sentence(amount(350, "cpu"), ", ", amount(2, "nvidia.com/gpu"))) == "350m cpu, 2 nvidia.com/gpu"
    )


@pytest.mark.parametrize(
    ("part", "markup"),
    [
        (strong("a < b"), "<b>a &lt; b</b>"),
        (Words("<script>"), '<q class="words">&lt;script&gt;</q>'),
        (CART, '<span class="space">shop/</span><b>cart</b>'),
        (decision(7, 14), '<a href="/runs/7/?at=14">decision 14</a>'),
        (decision(7, 14, 12_500), '<a href="/runs/7/?at=14&amp;t=12.5">decision 14</a>'),
        (number(3, "pod", at=Place(run=7, seq=2)), '<a href="/runs/7/?at=2">3 pods</a>'),
        (number(3, at=Place(table="refused")), '<a href="#refused">3</a>'),
        (Name("node", "a/b", at=Place()), "<b>a/b</b>"),
        (Name("node", "n1", at=Place(run=7)), '<a href="/runs/7/nodes/n1/"><b>n1</b></a>'),
        (Name("pod", "p", "shop", at=Place(run=7, uid="u1")),
         '<a href="/runs/7/pods/u1/"><span class="space">shop/</span><b>p</b></a>'),
        (Name("workload", "cart", of="Deployment", namespace="shop", at=Place(snapshot=2)),
         '<a href="/snapshots/2/workloads/Deployment/shop/cart/"><span class="space">shop/</span>'
         "<b>cart</b></a>"),
        (Name("scenario", "x", at=Place(scenario=4)), '<a href="/scenarios/4/"><b>x</b></a>'),
        (Names([Name("node", "n1"), Name("node", "<")], others=2), "<b>n1</b>, <b>&lt;</b> and 2 others"),
    ],
)  # fmt: skip
def test_a_part_as_html(part: Part, markup: str) -> None:
    assert html([part]) == markup


def _answer() -> Answer:
    return Answer(
        verdict="partly",
        lead=sentence(number(8), " of ", number(10, "pod"), " fit"),
        lines=[
            Line(
                "asked",
                head=sentence(CART, ":"),
                says=sentence(number(8), " of ", number(10), " fit"),
                under=[sentence("see ", decision(7, 14), ": ", Words("a|b"))],
            )
        ],
        tables=[
            Table(
                "causes",
                "Why pods wait",
                [Column("pods", "Pods", number=True), Column("cause", "Cause")],
                [[sentence(number(12)), sentence("cpu_limit")], [sentence(number(3)), []]],
                others=2,
            ),
            Table("folded", "Folded", [Column("pods", "Pods")], [[sentence("never seen")]], folds=True),
        ],
        trust=[sentence("all nodes scored")],
    )


def test_an_answer_as_text() -> None:
    assert text(_answer()) == (
        "8 of 10 pods fit\n\n"
        "shop/cart: 8 of 10 fit\n  see decision 14: a|b\n\n"
        "Why pods wait\nPods  Cause\n  12  cpu_limit\n   3  –\nand 2 more\n\n"
        "all nodes scored\n"
    )


def test_an_answer_as_markdown() -> None:
    assert markdown(_answer(), "https://sandtable.example/") == (
        "**8 of 10 pods fit**\n\n"
        "- **shop/cart:** 8 of 10 fit\\\n"
        "  see [decision 14](https://sandtable.example/runs/7/?at=14): `a\\|b`\n\n"
        "### Why pods wait\n\n| Pods | Cause |\n|---:|---|\n| 12 | cpu\\_limit |\n| 3 | – |\n\nand 2 more\n\n"
        "_all nodes scored_\n"
    )


def test_markdown_without_a_site_has_no_addresses() -> None:
    assert "](" not in markdown(_answer())


def test_an_answer_is_its_json() -> None:
    data = msgspec.json.encode(_answer())
    assert msgspec.json.decode(data, type=Answer) == _answer()
    assert msgspec.json.decode(data)["lines"][0]["head"][0] == {
        "part": "name", "kind": "workload", "name": "cart", "namespace": "shop", "of": "Deployment",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("names", "cut", "shorts"),
    [
        (
            ["ip-10-0-1-15.eu.internal", "ip-10-0-2-7.eu.internal"],
            ("ip-10-0-", ".eu.internal"),
            ["1-15", "2-7"],
        ),
        (["node-c1", "node-c2"], ("", ""), ["node-c1", "node-c2"]),
        (["pool-a-worker-1", "pool-a-worker-2"], ("pool-a-", ""), ["worker-1", "worker-2"]),
        (["a-1-worker", "a-2-worker"], ("", "-worker"), ["a-1", "a-2"]),
        (["ip-1-1.x.y", "ip-1-1.x.y-1"], ("ip-", ".x.y"), ["1-1", "1-1-1"]),
        (["only.one"], ("", ""), ["only.one"]),
    ],
)
def test_what_nodes_have_in_common_is_cut(names: list[str], cut: tuple[str, str], shorts: list[str]) -> None:
    found = common_parts(names)
    assert tuple(found) == cut
    assert [found.short(name) for name in names] == shorts


def test_a_node_whose_name_is_cut_keeps_the_whole_one_beside_it() -> None:
    parts = sentence(Name("node", "ip-10-1-2"), ", ", Name("pod", "ip-10-1-2"))
    assert html(parts, Cut("ip-10-")) == '<b title="ip-10-1-2">1-2</b>, <b>ip-10-1-2</b>'


def test_a_doubt_that_the_answer_tells_stands_in_its_file_once() -> None:
    answer = Answer("fits", sentence("All fit."), trust=[sentence("Not modelled: gates.")])
    page = html_file(answer, About("run 1", [], doubts=["Not modelled: gates", "Not modelled: claims"]))
    assert [page.count(f"Not modelled: {what}") for what in ("gates", "claims")] == [1, 1]
