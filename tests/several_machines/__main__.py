"""``python -m tests.several_machines``: three worker hosts; one dies, one is cut off, the broker restarts."""

import argparse
import os
import sys
import time

from tests.several_machines.machines import enter

SETTLE_SECONDS = 10.0


def main(arguments: list[str]) -> int:
    """Run it and answer 1 if anything broke."""
    parser = argparse.ArgumentParser(prog="python -m tests.several_machines", description=__doc__)
    parser.add_argument("--cut-seconds", type=float, default=60, help="how long a host stays cut off")
    chosen = parser.parse_args(arguments)
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from tests.several_machines.faults import Faults
    from tests.several_machines.fleet import Fleet
    from tests.several_machines.soaking import SoakSettings, soak

    def break_things(faults: Faults, fleet: Fleet) -> None:
        first, second, _ = fleet.hosts
        time.sleep(SETTLE_SECONDS)
        cut = faults.begin(faults.cut_host(second))
        time.sleep(SETTLE_SECONDS)
        killed = faults.begin(faults.killed_host(first))
        time.sleep(SETTLE_SECONDS)
        faults.begin(faults.killed_broker()).join()
        killed.join()
        cut.join()
        time.sleep(SETTLE_SECONDS)

    return 0 if soak(SoakSettings(3, 1, 8, chosen.cut_seconds), break_things) else 1


if __name__ == "__main__":
    enter("tests.several_machines", sys.argv[1:])
    sys.exit(main(sys.argv[1:]))
