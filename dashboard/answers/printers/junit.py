"""A preflight as JUnit's XML, which CI servers show: a test case for each workload of the manifest."""

from collections.abc import Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from dashboard.answers.answer import Answer, Verdict
from dashboard.answers.printers.text import text
from dashboard.answers.printers.words import plain
from dashboard.answers.sentence import Sentence


class Case(NamedTuple):
    """A workload: its `kind`, `namespace` and `name`, what came of it, in one sentence and in more.

    refused: a limit keeps some of its pods from being made.
    """

    kind: str
    namespace: str
    name: str
    verdict: Verdict
    refused: bool
    says: Sentence
    under: list[Sentence]


def junit(answer: Answer, cases: Sequence[Case], *, costs: bool = False) -> str:
    """Return the document. costs: a limit of evictions is crossed: a case of its own."""
    failed = sum(_type(case) != "" for case in cases) + costs
    root = Element("testsuites")
    suite = SubElement(root, "testsuite", name="sandtable preflight", tests=str(len(cases) + costs))
    suite.set("failures", str(failed))
    for case in cases:
        element = SubElement(
            suite, "testcase", classname=case.namespace or "-", name=f"{case.kind} {case.name}"
        )
        if kind := _type(case):
            failure = SubElement(element, "failure", type=kind, message=plain(case.says))
            failure.text = "\n".join(map(plain, case.under))
    if costs:
        element = SubElement(suite, "testcase", classname="limits", name="evictions and budgets")
        SubElement(element, "failure", type="limit", message=plain(answer.lead))
    SubElement(suite, "system-out").text = text(answer)
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=True)


def _type(case: Case) -> str:
    """Return the kind of a failure, empty where all fits."""
    if case.refused:
        return "limit"
    return (
        "" if case.verdict in ("fits", "nothing_asked") else "unsure" if case.verdict == "unsure" else "not"
    )
