"""``python -m benchmarks.soak``: runs, imports and viewers while parts are killed; 1 if anything broke."""

import argparse
import os
import sys

import django


def main() -> int:
    """Read the arguments and soak; what starts the stack is the tests' own and needs Django set up."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60, help="how long faults go on (default: 60)")
    parser.add_argument(
        "--viewers", type=int, default=50, help="sockets that follow runs (default: 50, at most 500)"
    )
    parser.add_argument("--every", type=float, default=20, help="seconds between two faults (default: 20)")
    parser.add_argument("--seed", type=int, default=1, help="of all chance (default: 1)")
    parser.add_argument(
        "--database-url",
        default=os.environ.get("DATABASE_URL", ""),
        help="a PostgreSQL server, for a database of its own (default: DATABASE_URL, else SQLite)",
    )
    parser.add_argument("--record", action="store_true", help="write the figures to benchmarks/soak.json")
    chosen = parser.parse_args()
    os.environ.pop("DATABASE_URL", None)
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    from benchmarks.soak.soak import SoakSettings, soak

    asked = SoakSettings(chosen.minutes, min(chosen.viewers, 500), chosen.every, chosen.seed)
    return 0 if soak(asked, chosen.database_url, chosen.record) else 1


if __name__ == "__main__":
    sys.exit(main())
