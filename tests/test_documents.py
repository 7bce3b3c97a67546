"""The documents: every link leads somewhere, and what they name exists."""

import gzip
import json
import re
from pathlib import Path

import pytest

from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation

PROJECT = Path(__file__).parent.parent
DOCUMENTS = sorted(
    path for path in [*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md"), *PROJECT.glob("samples/**/*.md")]
)
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)|(?:src|srcset)=\"([^\"]+)\"")
FOLDERS = "scheduler_core|dashboard|api|static|tests|benchmarks|samples|kube|simulation"
NAMED_FILE = re.compile(rf"`((?:{FOLDERS})/[\w./*-]+)`")


def name_of(path: Path) -> str:
    return str(path.relative_to(PROJECT))


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_link_leads_somewhere(document: Path) -> None:
    targets = [first or second for first, second in LINK.findall(document.read_text())]
    missing = [
        target
        for target in targets
        if not target.startswith(("http:", "https:", "mailto:")) and not (document.parent / target).exists()
    ]
    assert missing == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_file_that_is_named_exists(document: Path) -> None:
    bases = [PROJECT, PROJECT / "scheduler_core", PROJECT / "dashboard"]
    missing = [
        named
        for named in NAMED_FILE.findall(document.read_text())
        if not any(list(base.glob(named.rstrip("/"))) for base in bases)
    ]
    assert missing == []


def test_the_readme_names_every_make_target_that_a_user_needs() -> None:
    readme = (PROJECT / "README.md").read_text()
    assert [target for target in ("make run", "make test", "make bench") if target not in readme] == []


def test_every_package_of_the_engine_is_in_the_architecture() -> None:
    page = (PROJECT / "docs" / "architecture.md").read_text()
    packages = [path.parent.name for path in (PROJECT / "scheduler_core").glob("*/__init__.py")]
    assert [name for name in packages if f"{name}/" not in page] == []


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
