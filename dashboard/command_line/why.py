"""`sandtable why NAME --snapshot FILE`: why a pod, or the pods of a workload, wait."""

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


@click.command()
@click.argument("name")
@cluster_options
@scheduler_option
@form()
def command(name: str, snapshot: str, scheduler: str, form: str) -> None:
    """Say why the pods of NAME wait: a pod or a workload, `namespace/name`, or `all`.

    The cluster is asked as it stands; nothing is played. Exit codes: 0, or 3 for input that is wrong.
    """
    with refusing(snapshot):
        opened = open_snapshot(snapshot)
    from dashboard.answers.sentence import sentence
    from dashboard.answers.why_of_snapshot import Why, answer_of, by_themselves
    from dashboard.queries.waiting_pods import waiting_pods
    from scheduler_core.schedulers.cause import Answered, Cause
    from scheduler_core.world import Simulation

    kinds = [one for one in waiting_pods(opened) if name == "all" or _is_meant(one, name)]
    if not kinds:
        _tell_of_others(opened, name)
        return
    with refusing():
        simulation = Simulation(input_of(scenario_of(opened, [], scheduler)))
    answers = dict(simulation.whys(one.first for one in kinds if simulation.knows(one.first)))
    left_out = Answered(Cause("untried", reason="a run leaves the pod out"))
    found = [Why(one, answers.get(one.first, left_out), {}) for one in kinds]
    chosen = chosen_by(opened, scheduler)
    waiting = sum(len(one.uids) for one in kinds)
    trusted = [*by_themselves(found), *([sentence(chosen)] if chosen else [])]
    print_answer(
        answer_of(found, kinds, waiting, opened.pk, trusted), form, about("Why pods wait", lambda: opened)
    )


def _is_meant(pods: "Alike", name: str) -> bool:
    namespace, _, rest = name.rpartition("/")
    if namespace and namespace != pods.namespace:
        return False
    return rest in (*pods.names, pods.workload.rpartition("/")[2], pods.group.rpartition("/")[2])


def _tell_of_others(snapshot: "Snapshot", name: str) -> None:
    """Say that nobody of this name waits; refuse a name that there is not."""
    from django.db.models import Q

    from dashboard.models import Pod

    namespace, _, rest = name.rpartition("/")
    named = Q(name=rest) | Q(workload__endswith=f"/{rest}") | Q(group__endswith=f"/{rest}")
    found = Pod.objects.filter(named, snapshot=snapshot)
    if namespace:
        found = found.filter(namespace=namespace)
    if name == "all" or found.exists():
        click.echo("No pod waits." if name == "all" else f"No pod of {name} waits.")
        return
    refuse(f"{name}: there is no pod or workload of this name in the snapshot that has pods")
