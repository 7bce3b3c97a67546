"""`sandtable run SNAPSHOT`: plays a cluster, with edits or without, and prints the answer of the run."""

import click
import msgspec

from dashboard.command_line.embedded import chosen_by, input_of, open_snapshot, scenario_of
from dashboard.command_line.live import chosen, context_options
from dashboard.command_line.printing import form, print_answer
from dashboard.command_line.progress import progress
from dashboard.command_line.questions import edits_option, scheduler_option
from dashboard.command_line.refusals import refusing
from dashboard.command_line.sources import FILE, list_of


@click.command()
@click.argument("snapshot", type=FILE, default="", callback=chosen)
@context_options
@edits_option
@scheduler_option
@click.option("--driver", type=click.Choice(["instant", "timed"]), help="Without a clock or with one.")
@click.option("--seed", type=int, help="Draws between equal nodes; else the first by name is taken.")
@form()
def command(
    snapshot: str, edits: str, scheduler: str, driver: str | None, seed: int | None, form: str
) -> None:
    """Play the cluster of SNAPSHOT, a file or a number, or of a context, to its end and say what came of it.

    With edits the same cluster is played without them too, and subtracted. Exit codes: 0, or 3 for input
    that is wrong.
    """
    asked = list_of(edits, "edits") if edits else []
    with refusing(snapshot):
        opened = open_snapshot(snapshot)
    from dashboard.answers.ended_run import EndedRun
    from dashboard.answers.of_run import answer_of_run
    from dashboard.answers.sentence import sentence
    from dashboard.services.results.counted import count
    from scheduler_core.world import Simulation

    with refusing():
        scenario = scenario_of(opened, asked, scheduler, driver=driver, seed=seed)
        run_input = input_of(scenario)
        with progress("The run", opened.pending) as advance:
            counted = count(Simulation(run_input), asked, watch=advance, with_jobs=True)
        against = None
        if asked:
            plain = Simulation(msgspec.structs.replace(run_input, edits=[]))
            with progress("Without the edits", opened.pending) as advance:
                against = count(plain, [], known=None, watch=advance)
    answer = answer_of_run(
        EndedRun(
            run=None,
            snapshot=None,
            status="finished",
            attempt_limit=run_input.attempt_limit,
            edits=asked,
            results=counted.results,
            trust=counted.trust,
            figures=counted.figures,
            against=None if against is None else against.figures,
            profile=run_input.profile,
        )
    )
    if chosen := chosen_by(opened, scheduler, asked):
        answer = msgspec.structs.replace(answer, trust=[*answer.trust, sentence(chosen)])
    from dashboard.services.results.saved_answers import file_of_played

    print_answer(answer, form, lambda answer: file_of_played(scenario, counted, answer))
