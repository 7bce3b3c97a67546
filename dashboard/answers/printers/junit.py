"""A preflight as JUnit's XML, which CI servers show: a test case for each workload of the manifest."""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from dashboard.answers.preflight import Preflight, Workload
from dashboard.answers.printers.text import text
from dashboard.answers.printers.words import plain


def junit(found: Preflight, *, costs: bool = False) -> str:
    """Return the document. costs: more has to go than somebody allows, which is a case of its own."""
    failed = sum(_type(one) != "" for one in found.workloads) + costs
    root = Element("testsuites")
    suite = SubElement(root, "testsuite", name="sandtable preflight", tests=str(len(found.workloads) + costs))
    suite.set("failures", str(failed))
    for one in found.workloads:
        case = SubElement(suite, "testcase", classname=one.namespace or "-", name=f"{one.kind} {one.name}")
        if kind := _type(one):
            failure = SubElement(case, "failure", type=kind, message=plain(one.says))
            failure.text = "\n".join(map(plain, one.under))
    if costs:
        case = SubElement(suite, "testcase", classname="limits", name="evictions and budgets")
        SubElement(case, "failure", type="limit", message=plain(found.answer.lead))
    SubElement(suite, "system-out").text = text(found.answer)
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=True)


def _type(one: Workload) -> str:
    """Return the kind of a failure, empty where all fits."""
    if one.refused:
        return "limit"
    return "" if one.verdict in ("fits", "nothing_asked") else "unsure" if one.verdict == "unsure" else "not"
