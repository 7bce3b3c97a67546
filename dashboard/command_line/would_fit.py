"""`sandtable would-fit NAME --snapshot FILE`: what would make pods fit that wait, or those of a manifest."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import click

from dashboard.command_line.embedded import open_snapshot
from dashboard.command_line.live import cluster_options
from dashboard.command_line.printing import about, form, print_answer
from dashboard.command_line.questions import answer_in, cluster_at, found_here, scheduler_option, told_by
from dashboard.command_line.refusals import refuse, refusing
from dashboard.command_line.server import Server, server_options
from dashboard.command_line.sources import FILE, manifest_of, objects_of

if TYPE_CHECKING:
    from dashboard.answers.answer import Answer
    from dashboard.models import Snapshot
    from dashboard.services.questions.of_snapshot import SnapshotQuestion

TITLE = "What would make it fit"
FOUND, NOTHING, UNSURE = 0, 1, 4  # 3 is what `refusals` ends with
Documents = list[dict[str, Any]]
Answered = tuple["Answer", Sequence[Any]]
"""The answer that was printed, and what is proposed."""


@click.command()
@click.argument("name", default="")
@cluster_options
@scheduler_option
@click.option("--job", is_flag=True, help="NAME is a pod group.")
@click.option("-f", "--manifest", multiple=True, type=FILE, metavar="FILE", help="NAME is a workload of it.")
@click.option("-n", "--namespace", default="", help="The namespace of the manifest's objects that name none.")
@server_options
@form()
def command(
    name: str,
    snapshot: str,
    scheduler: str,
    job: bool,
    manifest: tuple[str, ...],
    namespace: str,
    server: str,
    token: str,
    form: str,
) -> None:
    """Say what would make the waiting pods of NAME fit: each change was tried.

    NAME is a pod, `namespace/name`, or a workload or pod group, `Kind/namespace/name`.
    With a --manifest it is tried as if that were applied; NAME may be absent where the
    manifest has but one workload.

    \b
    Exit codes:
      0  a change was found, or all fit without any change
      1  no small change was found
      3  no pod of NAME waits, or the manifest or the snapshot is wrong
      4  none was found before somebody ended it, the pods come and go without an end,
         or what decides is not modelled
    """
    documents, _ = objects_of(manifest, namespace)
    if not name and not documents:
        raise click.UsageError("Missing argument 'NAME'.")
    if server:
        answer, proposals = _answered_by(
            Server(server, token), snapshot, name, documents, scheduler, form, job=job
        )
    else:
        answer, proposals = _answered(snapshot, name, documents, scheduler, form, job=job)
    sys.exit({"fits": FOUND, "unsure": UNSURE}.get(answer.verdict, FOUND if proposals else NOTHING))


def _whom(name: str, *, job: bool) -> dict[str, str]:
    return {"job" if job else "workload" if name.count("/") == 2 else "pod": name}


def _answered_by(
    server: Server, snapshot: str, name: str, documents: Documents, scheduler: str, form: str, *, job: bool
) -> Answered:
    if documents:
        body = {"manifest": manifest_of(documents), "workload": name, "profile": scheduler}
        told = told_by(server, snapshot, "preflight/would-fit/", body)
    else:
        address = f"would-fit/?{urlencode(_whom(name, job=job))}"
        told = told_by(server, snapshot, address, scheduler=scheduler)
    answer = answer_in(told)
    print_answer(answer, form, about(TITLE, cluster_at(server, snapshot)))
    return answer, told["result"]["proposals"]


def _answered(
    snapshot: str, name: str, documents: Documents, scheduler: str, form: str, *, job: bool
) -> Answered:
    with refusing(snapshot):
        opened = open_snapshot(snapshot)
    with refusing():
        asked = _asked(opened, name, documents, job=job)
        found = found_here(asked.kind, asked.of, opened, scheduler, documents)
    answer = asked.answer(found)
    print_answer(answer, form, about(TITLE, lambda: opened))
    return answer, found.proposals


def _asked(snapshot: "Snapshot", name: str, documents: Documents, *, job: bool) -> "SnapshotQuestion":
    from dashboard.errors import NoSuchPod
    from dashboard.services.questions.of_snapshot import fitting_asked
    from dashboard.services.workspace.preflighting import fitting_of, require_served
    from scheduler_core.world.edits.helm_hooks import in_stages

    if documents:
        require_served(snapshot, documents)
        stages = in_stages(documents)
        return fitting_of(stages.objects, name, before=stages.before)
    try:
        return fitting_asked(snapshot, **_whom(name, job=job))
    except NoSuchPod as error:
        refuse(str(error))
