"""What the FGD paper published of its policies on this trace, with the default list of tasks.

The tasks arrive in random order, drawn again until 130 % of the cluster's cards have been asked for; ten
draws of each policy. For each percent of arrived cards: the median, in percent of all cards.
"""

import csv
import gzip
from pathlib import Path

FILE = Path(__file__).parent / "fgd_default.csv.gz"


def published_curves() -> dict[str, dict[str, list[float]]]:
    """Return by measure (`allocated`, `fragmentation`) and policy the figures for 0 to 130 % arrived."""
    curves: dict[str, dict[str, list[float]]] = {}
    with gzip.open(FILE, "rt", encoding="utf-8", newline="") as file:
        for measure, policy, *figures in csv.reader(file):
            curves.setdefault(measure, {})[policy] = [float(figure) for figure in figures]
    return curves
