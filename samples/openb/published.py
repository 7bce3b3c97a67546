"""What the FGD paper published of its policies on this trace, with the default list of tasks.

The tasks arrive in random order, drawn again until 130 % of the cluster's cards have been asked for; ten
draws of each policy. For each percent of arrived cards: the median, in percent of all cards.
"""

import csv
import gzip
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from samples.openb.conversion import NODES_FILE, read_table

SOURCE = (
    "Weng et al., Beware of Fragmentation (USENIX ATC 2023): medians of ten draws, from "
    "experiments/analysis/expected_results of hkust-adsl/kubernetes-scheduler-simulator"
)
FILE = Path(__file__).parent / "fgd_default.csv.gz"


def published_curves() -> dict[str, dict[str, list[float]]]:
    """Return by measure (`allocated`, `fragmentation`) and policy the figures for 0 to 130 % arrived."""
    curves: dict[str, dict[str, list[float]]] = {}
    with gzip.open(FILE, "rt", encoding="utf-8", newline="") as file:
        for measure, policy, *figures in csv.reader(file):
            curves.setdefault(measure, {})[policy] = [float(figure) for figure in figures]
    return curves


def is_the_cluster(cards: Mapping[str, int]) -> bool:
    """Return whether these are the nodes with cards that the curves are of, by how many cards they have."""
    return cards == _cards()


@cache
def _cards() -> dict[str, int]:
    return {row["sn"]: int(row["gpu"]) for row in read_table(NODES_FILE) if int(row["gpu"])}
