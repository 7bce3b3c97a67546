"""`sandtable why NAME --snapshot FILE`: why a pod, or the pods of a workload, wait."""

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from dashboard.command_line.embedded import chosen_by, input_of, open_snapshot, scenario_of
from dashboard.command_line.live import cluster_options
from dashboard.command_line.printing import about, form, print_answer
from dashboard.command_line.questions import scheduler_option
from dashboard.command_line.refusals import refuse, refusing

if TYPE_CHECKING:
    from dashboard.models import Snapshot
    from dashboard.queries.waiting_pods import Alike
    from scheduler_core.schedulers.cause import Answered


@click.command()
@click.argument("name")
@cluster_options
@scheduler_option
@form()
def command(name: str, snapshot: str, scheduler: str, form: str) -> None:
    """Say why the pods of NAME wait: a pod, a workload or a pod group, `namespace/name`, or `all`.

    The cluster is asked as it stands; nothing is played. Exit codes: 0, or 3 for input that is wrong.
    """
    with refusing(snapshot):
        opened = open_snapshot(snapshot)
    from dashboard.answers.answer import Answer
    from dashboard.answers.rests_on import about_waiting
    from dashboard.answers.sentence import sentence
    from dashboard.answers.why_of_snapshot import LEFT_OUT, Why, agreed, answer_of, trust
    from dashboard.queries.waiting_pods import waiting_pods
    from dashboard.services.workspace.suggesting import jobs_without_pods
    from scheduler_core.world import Simulation
    from scheduler_core.world.trials.rests_on import RestsOn

    kinds = [one for one in waiting_pods(opened) if name == "all" or _is_meant(one, name)]
    if not kinds:
        _refuse_unknown(opened, name)
        nobody = "No pod waits." if name == "all" else f"No pod of {name} waits."
        if name == "all" and (jobs := jobs_without_pods(opened).total()):
            nobody += f" {'1 job waits' if jobs == 1 else f'{jobs:,} jobs wait'} for pods that a controller"
            nobody += " makes: `sandtable run` plays it, and says why."
        print_answer(Answer("nothing_asked", sentence(nobody)), form, about("Why pods wait", lambda: opened))
        return
    with refusing():
        scenario = scenario_of(opened, [], scheduler)
        simulation = Simulation(input_of(scenario))
    answers, seconds = _timed(simulation.whys(one.first for one in kinds if simulation.knows(one.first)))
    tried = [(one, answers.get(one.first, LEFT_OUT)) for one in kinds]
    found = [Why(one, answered, agreed(one, answered)) for one, answered in tried]
    nodes = max(answered.cause.nodes for _, answered in tried)
    waiting = sum(len(one.uids) for one in kinds)
    rests_on = RestsOn(scenario.profile, simulation.trust_in(adds=False))
    trusted = [
        *trust(found, nodes, seconds, [], chosen_by(opened, scheduler), ""),
        *about_waiting(rests_on),
    ]
    print_answer(
        answer_of(found, kinds, waiting, opened.pk, trusted), form, about("Why pods wait", lambda: opened)
    )


def _timed(whys: "Iterator[tuple[str, Answered]]") -> "tuple[dict[str, Answered], float]":
    """Return the answers by pod, and how many seconds they took from the first one on."""
    answers, begun = {}, 0.0
    for uid, answered in whys:
        begun = begun or time.monotonic()
        answers[uid] = answered
    return answers, time.monotonic() - begun if begun else 0.0


def _is_meant(pods: "Alike", name: str) -> bool:
    namespace, _, rest = _without_kind(name).rpartition("/")
    if namespace and namespace != pods.namespace:
        return False
    return rest in (*pods.names, pods.workload.rpartition("/")[2], pods.group.rpartition("/")[2])


def _without_kind(name: str) -> str:
    """Return `Kind/namespace/name`, as other subcommands take it, without the kind."""
    return name.partition("/")[2] if name.count("/") == 2 else name


def _refuse_unknown(snapshot: "Snapshot", name: str) -> None:
    """Refuse a name that nothing has in the snapshot."""
    from django.db.models import Q

    from dashboard.models import Pod

    namespace, _, rest = _without_kind(name).rpartition("/")
    named = Q(name=rest) | Q(workload__endswith=f"/{rest}") | Q(group__endswith=f"/{rest}")
    found = Pod.objects.filter(named, snapshot=snapshot)
    if namespace:
        found = found.filter(namespace=namespace)
    if name == "all" or found.exists():
        return
    if _makes_pods(snapshot, namespace, rest):
        refuse(
            f"{name} has no pods in the snapshot: `sandtable run` plays its controller, which makes them, "
            "and says why it waits if it does"
        )
    refuse(f"{name}: there is no pod or workload of this name in the snapshot that has pods")


def _makes_pods(snapshot: "Snapshot", namespace: str, name: str) -> bool:
    """Tell whether something has this name of which a scheduler's own controllers make pods."""
    from dashboard.kinds.own_rows import by_kind
    from scheduler_core.schedulers.registry import pod_makers

    where = {"snapshot": snapshot, "name": name, **({"namespace": namespace} if namespace else {})}
    makers = {kind: rows.model for kind, rows in by_kind().items() if kind in pod_makers()}
    return any(model.objects.filter(kind=str(kind), **where).exists() for kind, model in makers.items())
