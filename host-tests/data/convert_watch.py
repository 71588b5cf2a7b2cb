#!/usr/bin/env python3
"""Writes watch.csv.gz, a recording of an accelerometer, from the PyPI package seglearn.

    pip install numpy && pip install --no-deps seglearn==1.2.5
    python3 convert_watch.py SITE_PACKAGES/seglearn/data/watch_dataset.npy

Only the accelerometer is kept. Its unit there is g; here it is the milli-g in steps of 4, what an LSM303AGR resolves
at +-8 g. People, sides and exercises are sorted, samples keep their order; each recording is one run of lines.
"""

import argparse
import gzip
from pathlib import Path

import numpy

STEP = 4  # milli-g


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("watch", type=Path, help="seglearn's watch_dataset.npy")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="where to write")
    args = parser.parse_args()

    watch = numpy.load(args.watch, allow_pickle=True).item()
    assert watch["X_labels"][:3] == ["ax", "ay", "az"]
    recordings = zip(watch["subject"].tolist(), watch["side"].astype(int).tolist(), watch["y"].tolist(), watch["X"], strict=True)
    lines = ["person,side,label,x,y,z\n"]
    for person, side, exercise, samples in sorted(recordings, key=lambda recording: recording[:3]):
        steps = numpy.rint(samples[:, :3] * (1000 / STEP)).astype(int) * STEP
        assert abs(steps).max() < 8000, "beyond +-8 g"
        head = f"{person},{('left', 'right')[side]},{watch['y_labels'][exercise]}"
        lines += [f"{head},{x},{y},{z}\n" for x, y, z in steps.tolist()]
    packed = gzip.compress("".join(lines).encode("ascii"), 9, mtime=0)
    (args.out / "watch.csv.gz").write_bytes(packed)
    print(f"watch: {len(lines) - 1} samples, {len(packed)} bytes")


if __name__ == "__main__":
    main()
