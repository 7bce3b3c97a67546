"""Prints the trace as a Kubernetes List: ``python -m samples.openb > openb.json``."""

import argparse
import json
import sys
from pathlib import Path

from samples.openb.conversion import NODES_FILE, PODS_FILE, convert, read_table
from samples.openb.hami import convert_for_hami


def main() -> None:
    """Convert the two tables, by default those that come with the project."""
    parser = argparse.ArgumentParser(prog="python -m samples.openb", description=__doc__)
    parser.add_argument("--nodes", type=Path, default=NODES_FILE, help="the node list, .csv or .csv.gz")
    parser.add_argument("--pods", type=Path, default=PODS_FILE, help="a pod list, .csv or .csv.gz")
    parser.add_argument("--hami", action="store_true", help="register single cards, as HAMi shares them")
    chosen = parser.parse_args()
    made = convert_for_hami if chosen.hami else convert
    json.dump(made(read_table(chosen.nodes), read_table(chosen.pods)), sys.stdout)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
