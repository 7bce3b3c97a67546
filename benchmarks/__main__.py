"""``python -m benchmarks`` runs every benchmark and prints its table; ``--record`` makes it the baseline."""

import argparse
import json
import os
from collections.abc import Iterator

import django

from benchmarks import answers, consolidation, costs, engine, hami, imports, kube, volcano, volcano_devices
from benchmarks.figures import Figure, machine, print_table, record_baseline


def measure_product() -> Iterator[Figure]:
    """Measure what is served."""
    _set_up_django()
    from benchmarks import product

    yield from product.measure()


def measure_served() -> Iterator[Figure]:
    """Measure what kube-schedulers are answered."""
    _set_up_django()
    from benchmarks import served

    yield from served.measure()


def measure_sweeps() -> Iterator[Figure]:
    """Measure sweeps on a database of its own."""
    _set_up_django()
    from benchmarks import sweeps

    yield from sweeps.measure()


def _set_up_django() -> None:
    """The parts that start and visit what is served are the tests' own, and need it."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()


GROUPS = {
    "engine": engine.measure,
    "kube": kube.measure,
    "costs": costs.measure,
    "volcano": volcano.measure,
    "volcano-devices": volcano_devices.measure,
    "hami": hami.measure,
    "answers": answers.measure,
    "consolidation": consolidation.measure,
    "sweeps": measure_sweeps,
    "served": measure_served,
    "product": measure_product,
    "imports": imports.measure_large,
    "imports-unlike": imports.measure_unlike,
}


def main() -> None:
    """Run the chosen groups, by default all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("group", nargs="*", choices=[*GROUPS, []], help="which to run; all by default")
    parser.add_argument("--record", action="store_true", help="write the figures as the new baseline")
    chosen = parser.parse_args()
    print("Measuring on:", json.dumps(machine()), flush=True)
    figures = print_table(figure for name in chosen.group or GROUPS for figure in GROUPS[name]())
    if chosen.record:
        record_baseline(figures)
        _set_up_django()
        costs.draw_all(figures)


if __name__ == "__main__":
    main()
