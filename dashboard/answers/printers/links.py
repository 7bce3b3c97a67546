"""Where names and numbers of an answer lead to: the one place that knows addresses of pages."""

from django.urls import reverse

from dashboard.answers.sentence import Name, Number, Place


def address(part: Name | Number) -> str:
    """Return the address of a page, absolute on this site; empty for what leads nowhere."""
    if part.at is None:
        return ""
    if isinstance(part, Number) or part.kind == "decision":
        return _of_figure(part.at)
    return _in_run(part, part.at) or _in_snapshot(part, part.at) or _itself(part, part.at)


def address_in_file(part: Name | Number) -> str:
    """Return where a part leads in a file without a server: to a table of the same answer, else nowhere."""
    return f"#{part.at.table}" if part.at is not None and part.at.table else ""


def _of_figure(at: Place) -> str:
    if at.table:
        return f"#{at.table}"
    if at.run is None or at.seq is None:
        return ""
    instant = "" if at.time is None else f"&t={_seconds(at.time)}"
    return f"{reverse('run', args=[at.run])}?at={at.seq}{instant}"


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds // 1000}.{milliseconds % 1000:03}".rstrip("0").rstrip(".")


def _in_run(name: Name, at: Place) -> str:
    if at.run is None:
        return ""
    match name.kind:
        case "pod" if at.uid:
            return reverse("run-pod", args=[at.run, at.uid])
        case "node":
            return reverse("run-node", args=[at.run, name.name])
        case "queue":
            return reverse("run-queue", args=[at.run, name.name])
        case "job":
            return reverse("run-job", args=[at.run, name.namespace, name.name])
        case "run":
            return reverse("run-outcome", args=[at.run])
    return ""


def _in_snapshot(name: Name, at: Place) -> str:
    if at.snapshot is None:
        return ""
    match name.kind:
        case "pod" if at.uid:
            return reverse("snapshot-detail", args=[at.snapshot, "pods", at.uid])
        case "node":
            return reverse("snapshot-detail", args=[at.snapshot, "nodes", name.name])
        case "workload" if name.of:
            key = f"{name.of}/{name.namespace}/{name.name}"
            return reverse("snapshot-detail", args=[at.snapshot, "workloads", key])
        case "snapshot":
            return reverse("snapshot", args=[at.snapshot])
    return ""


def _itself(name: Name, at: Place) -> str:
    if name.kind == "scenario" and at.scenario is not None:
        return reverse("scenario", args=[at.scenario])
    return _of_figure(at)
