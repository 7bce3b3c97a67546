"""``python -m benchmarks.operators`` writes clusters as ``kubectl get ... -A -o json`` prints them.

Equal seeds make equal files. They are for whoever wants to see what the product says of clusters that are
larger and less tidy than samples: every pod, job and card in them is consistent with the others.
"""

import argparse
import gzip
from collections.abc import Callable
from pathlib import Path

import msgspec

from benchmarks.operators.cloud import EKS, GKE, cloud_cluster
from benchmarks.operators.hami import hami_cluster
from benchmarks.operators.making import Object
from benchmarks.operators.volcano import volcano_cluster

CLUSTERS: dict[str, Callable[[str], Object]] = {
    "volcano": volcano_cluster,
    "hami": hami_cluster,
    "cloud-300": lambda seed: cloud_cluster(seed, EKS, 300, 6_000),
    "cloud-1500": lambda seed: cloud_cluster(seed, GKE, 1_500, 30_000),
}


def text_of(listing: Object) -> bytes:
    """Return a List as kubectl prints it."""
    return msgspec.json.format(msgspec.json.encode(listing, order="sorted"), indent=4) + b"\n"


def main() -> None:
    """Write the chosen clusters, by default all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.operators", description=__doc__)
    parser.add_argument("cluster", nargs="*", choices=[*CLUSTERS, []], help="which to write; all by default")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--out", type=Path, default=Path("clusters"), help="the folder (clusters)")
    parser.add_argument("--gzip", action="store_true", help="pack the files")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    for name in chosen.cluster or CLUSTERS:
        text = text_of(CLUSTERS[name](chosen.seed))
        path = chosen.out / (f"{name}.json.gz" if chosen.gzip else f"{name}.json")
        path.write_bytes(gzip.compress(text, compresslevel=5, mtime=0) if chosen.gzip else text)
        print(f"{path}: {len(text) / 1e6:.1f} MB", flush=True)


if __name__ == "__main__":
    main()
