"""``python -m tests.several_machines.soak --minutes 60 --faults 300``: faults by chance."""

import argparse
import os
import sys
import threading

from tests.several_machines.machines import enter


def main(arguments: list[str]) -> int:
    """Soak and answer 1 if anything broke."""
    parser = argparse.ArgumentParser(prog="python -m tests.several_machines.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60, help="how long faults go on (default: 60)")
    parser.add_argument("--faults", type=int, default=300, help="how many there are (default: 300)")
    parser.add_argument("--hosts", type=int, default=4, help="worker hosts (default: 4)")
    parser.add_argument("--viewers", type=int, default=12, help="sockets that follow runs (default: 12)")
    parser.add_argument("--cut-seconds", type=float, default=60, help="how long a host stays cut off")
    parser.add_argument("--seed", type=int, default=1, help="of all chance (default: 1)")
    chosen = parser.parse_args(arguments)
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from tests.several_machines.faults import Faults
    from tests.several_machines.fleet import Fleet
    from tests.several_machines.soaking import SoakSettings, soak

    def break_things(faults: Faults, fleet: Fleet) -> None:
        faults.go_on_until(threading.Event(), chosen.minutes * 60 / chosen.faults, chosen.faults)

    asked = SoakSettings(chosen.hosts, chosen.seed, chosen.viewers, chosen.cut_seconds)
    return 0 if soak(asked, break_things) else 1


if __name__ == "__main__":
    enter("tests.several_machines.soak", sys.argv[1:])
    sys.exit(main(sys.argv[1:]))
