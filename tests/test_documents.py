"""The documents: every link leads somewhere, and what they name exists."""

import gzip
import json
import re
from functools import cache
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import get_args

import pytest

from scheduler_core.events.changes import Change
from scheduler_core.objects.problems import BadInput
from scheduler_core.volcano.registry import PLUGINS
from scheduler_core.world import RunInput, Simulation
from scripts.modules import modules
from tests.browser.guides import GUIDES as WALKED
from tests.cases import for_each

PROJECT = Path(__file__).parent.parent
DOCUMENTS = sorted(
    path for path in [*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md"), *PROJECT.glob("samples/**/*.md")]
)
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)|(?:src|srcset)=\"([^\"]+)\"")
FOLDERS = (
    "scheduler_core|dashboard|api|static|templates|tests|benchmarks|samples|scripts|docs|recorded|"
    "objects|go|events|state|predicates|schedulers|kube|volcano|hami|world"
)
ADDRESSES = {"events/schema/", "schedulers/{profile}/"}
"""Addresses of REST that look like folders of the engine."""
FILE = re.compile(r"`([\w./-]+\.(?:py|js|json|yaml|md|css|html|toml|csv))`")
NUMBERED = re.compile(r"^(\d+)\. ", re.MULTILINE)
_UP_TO_TWELVE = "none one two three four five six seven eight nine ten eleven twelve"
NUMBERS = [
    *_UP_TO_TWELVE.split(),
    *(f"{ten}teen" for ten in ["thir", "four", "fif", "six", "seven", "eigh", "nine"]),
    "twenty",
    "twenty-one",
    "twenty-two",
    "twenty-three",
]
NAMED_FILE = re.compile(rf"`((?:{FOLDERS})/[\w./*-]+)`")


EXAMPLES = {"resources/ns/shop/Services.json"}
"""Files of somebody's that a document gives as examples."""


def name_of(path: Path) -> str:
    return str(path.relative_to(PROJECT))


@for_each(DOCUMENTS, name_of)
def test_every_link_leads_somewhere(document: Path) -> None:
    targets = [first or second for first, second in LINK.findall(document.read_text())]
    missing = [
        target
        for target in targets
        if not target.startswith(("http:", "https:", "mailto:")) and not (document.parent / target).exists()
    ]
    assert missing == []


@for_each(DOCUMENTS, name_of)
def test_every_file_that_is_named_exists(document: Path) -> None:
    bases = [PROJECT, PROJECT / "scheduler_core", PROJECT / "dashboard"]
    missing = [
        named
        for named in NAMED_FILE.findall(document.read_text())
        if named not in ADDRESSES and not any(list(base.glob(named.rstrip("/"))) for base in bases)
    ]
    assert missing == []


@cache
def endings() -> set[str]:
    """Every way in which the project's files can be named: by path, by name, by the end of a path."""
    found = set()
    for path in PROJECT.rglob("*"):
        parts = path.relative_to(PROJECT).parts
        if path.is_file() and not parts[0].startswith(".") and parts[0] not in ("node_modules", "data"):
            names = (*parts[:-1], path.name.removesuffix(".gz"))
            found |= {"/".join(whole[start:]) for whole in (parts, names) for start in range(len(parts))}
    return found


@for_each(DOCUMENTS, name_of)
def test_every_file_that_is_named_alone_exists(document: Path) -> None:
    named = {name.lstrip("./") for name in FILE.findall(document.read_text())}
    assert named - endings() - EXAMPLES == set()


@for_each(DOCUMENTS, name_of)
def test_numbered_lists_count(document: Path) -> None:
    before = 0
    for number in map(int, NUMBERED.findall(document.read_text())):
        assert number in (1, before + 1)
        before = number


def test_a_decision_that_another_replaces_says_so() -> None:
    texts = {int(path.name[:4]): path.read_text() for path in (PROJECT / "docs" / "adr").glob("*.md")}
    replaced = {
        (int(old), number)
        for number, text in texts.items()
        for old in re.findall(r"Replaces \[(\d+)\]", text)
    }
    assert replaced
    told = {
        (number, int(new))
        for number, text in texts.items()
        for new in re.findall(r"Replaced(?: in part)? by \[(\d+)\]", text)
    }
    assert told == replaced


@for_each(sorted((PROJECT / "docs" / "adr").glob("*.md")), name_of)
def test_a_decision_begins_with_its_number_and_its_status(path: Path) -> None:
    title, status, _ = path.read_text().split("\n\n", 2)
    assert title.startswith(f"# {int(path.name[:4])}. ")
    assert status.startswith(("**Status:** accepted", "**Status:** Replaced"))


def lines_of(folder: str) -> int:
    return sum(len(path.read_text().splitlines()) for path in (PROJECT / folder).glob("*.py"))


def test_the_size_that_a_decision_tells_is_nearly_right() -> None:
    text = (PROJECT / "docs" / "adr" / "0002-own-supervisor.md").read_text()
    [said] = re.findall(r"About ([\d,]+) lines .* in `dashboard/supervisor/`", text)
    assert int(said.replace(",", "")) == pytest.approx(lines_of("dashboard/supervisor"), rel=0.25)


def number_of_rows(document: str, heading: str) -> int:
    """How many rows the first table after some words has."""
    lines = iter((PROJECT / document).read_text().partition(heading)[2].splitlines())
    table = list(
        takewhile(lambda line: line.startswith("|"), dropwhile(lambda line: not line.startswith("|"), lines))
    )
    return len(table) - 2


DERIVED_FROM = (PROJECT / "scripts" / "derive_schema.py").read_text().partition("is made of Kubernetes")[2]
CLUSTERS = len([*PROJECT.glob("samples/volcano/*.yaml")]) - len(["scenarios.yaml"])
TELLING = "say what the names mean"
COUNTED = [
    ("docs/what-works.md", r"of its actions and ([\w-]+) plugins", len(PLUGINS)),
    ("README.md", r"samples/volcano/README.md\), (\w+) clusters", CLUSTERS),
    ("samples/volcano/README.md", r"^(\w+) small clusters", CLUSTERS),
    (
        "docs/semantics.md",
        r"published OpenAPI has it in one of (\w+) releases",
        len(re.findall(r"\d+\.\d+\.\d+(?=,| and)", DERIVED_FROM)),
    ),
    ("docs/debugger.md", rf"(\w+) files\s+{TELLING}", number_of_rows("docs/debugger.md", TELLING)),
    ("docs/debugger.md", r"knows (\w+) verbs", len(get_args(Change))),
]


@pytest.mark.parametrize(("document", "words", "number"), COUNTED, ids=[words for _, words, _ in COUNTED])
def test_a_figure_is_what_is_counted(document: str, words: str, number: int) -> None:
    found = re.findall(words, (PROJECT / document).read_text(), re.MULTILINE)
    assert [word.lower() for word in found] == [NUMBERS[number]]


GUIDES = sorted(path for path in (PROJECT / "docs" / "guides").glob("*.md") if path.name != "README.md")
PLAIN = [PROJECT / "README.md", *sorted((PROJECT / "docs" / "guides").glob("*.md"))]
MOST_WORDS = 29
SMALL_PICTURE = 200 * 1024
SECTIONS = ["The shortest way", "By REST", "What to read", "What the answer does not say"]


def sentences_of(text: str) -> list[str]:
    """Each sentence of a document's prose and of the cells of its tables, without code and pictures."""
    text = re.sub(r"^ *```.*?^ *```", "\n\n", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^    .*$|<picture>.*?</picture>|!?\[\]\([^)]*\)", "\n", text, flags=re.MULTILINE)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    blocks = re.split(r"\n\s*\n|^\s*(?:[-*]|\d+\.|#+)\s|\|", text, flags=re.MULTILINE)
    return [
        part for block in blocks for part in re.split(r"(?<=[.?!:;])\s+", " ".join(block.split())) if part
    ]


@for_each(PLAIN, name_of)
def test_sentences_are_short(document: Path) -> None:
    long = [one for one in sentences_of(document.read_text()) if len(one.split()) > MOST_WORDS]
    assert long == []


@for_each(GUIDES, name_of)
def test_a_guide_has_its_picture_and_its_place_among_the_others(guide: Path) -> None:
    [picture] = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", guide.read_text())
    assert picture == f"../images/guides/{guide.stem}.png"
    assert (guide.parent / picture).stat().st_size < SMALL_PICTURE
    assert f"]({guide.name})" in (guide.parent / "README.md").read_text()
    assert guide.read_text().startswith("# ")


@for_each([one for one in GUIDES if one.stem in WALKED], name_of)
def test_a_guide_that_is_walked_has_the_same_sections(guide: Path) -> None:
    assert re.findall(r"^## (.+)$", guide.read_text(), re.MULTILINE) == SECTIONS


def test_the_readme_names_every_make_target_that_a_user_needs() -> None:
    readme = (PROJECT / "README.md").read_text()
    assert [target for target in ("make run", "make test", "make bench") if target not in readme] == []


def test_every_package_of_the_engine_is_in_the_architecture() -> None:
    page = (PROJECT / "docs" / "architecture.md").read_text()
    packages = [path.parent.name for path in (PROJECT / "scheduler_core").glob("*/__init__.py")]
    assert [name for name in packages if f"{name}/" not in page] == []


def test_every_module_that_the_architecture_lists_says_what_it_is() -> None:
    silent = [name for name, sentence in modules() if not sentence and not name.endswith("/__init__.py")]
    assert silent == []
    assert dict(modules("kube/preemption"))["scheduler_core/kube/preemption/budgets.py"]


def test_the_architecture_is_two_pages_with_one_drawing() -> None:
    page = (PROJECT / "docs" / "architecture.md").read_text()
    assert page.count("```mermaid") == 1
    assert len(page.split()) < 1500


def test_no_two_decisions_share_a_number() -> None:
    numbers = [path.name[:4] for path in (PROJECT / "docs" / "adr").glob("*.md")]
    assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize("other", [{"profile": "hami"}, {"profile": "volcano"}])
def test_what_the_readme_calls_missing_is_refused_and_not_imitated(other: dict[str, str]) -> None:
    with pytest.raises(BadInput):
        Simulation(RunInput(objects=[], **other))


def test_the_figures_of_the_recorded_cases_are_those_of_the_files() -> None:
    page = (PROJECT / "docs" / "verification.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \|.*\| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    assert len(rows) == 12
    for family, cases, decisions in rows:
        with gzip.open(PROJECT / "tests" / "vectors" / "kube" / f"{family}.jsonl.gz") as lines:
            recorded = [len(json.loads(line)["expect"]["cycles"]) for line in lines]
        assert (len(recorded), sum(recorded)) == (int(cases), int(decisions)), family
    together = sum(int(decisions) for _, _, decisions in rows)
    assert f"{together:,}" in page
    assert f"{together:,}" in (PROJECT / "README.md").read_text()
