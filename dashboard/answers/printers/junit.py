"""A preflight as JUnit's XML, which CI servers show: a test case for each workload of the manifest.

It has a failure wherever the command's exit code isn't 0; what could not be read is an error.
"""

from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from dashboard.answers.exit_codes import LIMIT, UNSURE, exit_code
from dashboard.answers.preflight import Preflight, Workload
from dashboard.answers.printers.text import text
from dashboard.answers.printers.words import plain

_SUITE = "sandtable preflight"


def junit(found: Preflight, *, costs: bool = False, strict: bool = False) -> str:
    """Return the document. costs: more has to go than somebody allows. strict: doubts are failures, too."""
    suite = Element("testsuite", name=_SUITE)
    for one in found.workloads:
        case = SubElement(suite, "testcase", classname=one.namespace or "-", name=f"{one.kind} {one.name}")
        if kind := _type(one):
            _fail(case, kind, plain(one.says), map(plain, one.under))
    if costs:
        case = SubElement(suite, "testcase", classname="limits", name="evictions and budgets")
        _fail(case, "limit", plain(found.answer.lead))
    _fail_otherwise(suite, found, exit_code(found, costs=costs, strict=strict))
    SubElement(suite, "system-out").text = text(found.answer)
    return _document(suite)


def junit_of_errors(errors: Sequence[str]) -> str:
    """Return the document of what was not tried, since it is wrong: an error for each line that says why."""
    suite = Element("testsuite", name=_SUITE)
    for number, said in enumerate(errors, start=1):
        case = SubElement(suite, "testcase", classname="input", name=f"error {number}")
        SubElement(case, "error", type="wrong", message=said)
    return _document(suite)


def _fail_otherwise(suite: Element, found: Preflight, code: int) -> None:
    """Add a case for a limit that no workload crosses, and for doubts that are none of a workload's."""
    failed = {failure.get("type") for failure in suite.iter("failure")}
    if code == LIMIT and "limit" not in failed:
        refused = [plain([*line.head, *line.says]) for line in found.answer.lines if line.about == "not_done"]
        case = SubElement(suite, "testcase", classname="limits", name="objects that are refused")
        _fail(case, "limit", " ".join(refused) or plain(found.answer.lead))
    if code == UNSURE and not failed:
        case = SubElement(suite, "testcase", classname="strict", name="what the answer rests on")
        _fail(case, "unsure", "The answer rests on what is not known.", map(plain, found.answer.trust))


def _fail(case: Element, kind: str, message: str, lines: Iterable[str] = ()) -> None:
    failure = SubElement(case, "failure", type=kind, message=message)
    failure.text = "\n".join(lines)


def _document(suite: Element) -> str:
    """Return a suite as a document, with its counts."""
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        suite.set(name, str(sum(1 for _ in suite.iter(tag))))
    root = Element("testsuites")
    root.append(suite)
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=True)


def _type(one: Workload) -> str:
    """Return the kind of a failure, empty where all fits."""
    if one.refused:
        return "limit"
    return "" if one.verdict in ("fits", "nothing_asked") else "unsure" if one.verdict == "unsure" else "not"
