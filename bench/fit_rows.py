#!/usr/bin/env python3
"""Time and memory of the whole command `bristle fit` by the number of rows.

usage: bench/fit_rows.py [--bristle PROGRAM] [--law KIND,...] [ROWS...]     default: build/bench/bristle, all laws, 10000 100000

The record: the motion of fit_problem.hpp at 1 kHz, the force of its LuGre axis with noise of 0.4 N, as a text table with time, position and
force. The command reads it, fits the laws and writes the report. Prints wall time, processor time and the peak of the resident memory,
each also per row.
"""
import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np

import fit_scipy


def write_record(path, rows):
    fit_scipy.ROWS = rows
    u, v, a = fit_scipy.motion()
    y = fit_scipy.force(fit_scipy.TRUTH, u, v, a) + 0.4 * np.random.default_rng(1).standard_normal(rows)
    x = np.cumsum(u) * fit_scipy.DT
    with open(path, "w") as out:
        out.write("time [s],position [m],force [N]\n")
        for first in range(0, rows, 100000):
            part = range(first, min(first + 100000, rows))
            out.writelines(f"{i * fit_scipy.DT:.3f},{x[i]:.9g},{y[i]:.6g}\n" for i in part)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--bristle", default="build/bench/bristle")
    arguments.add_argument("--law", default="all")
    arguments.add_argument("rows", nargs="*", type=int, default=[10000, 100000])
    given = arguments.parse_args()
    print("| rows | wall time | processor time | per row | peak memory | per row |")
    print("|---|---|---|---|---|---|")
    for rows in given.rows:
        with tempfile.TemporaryDirectory() as folder:
            record = Path(folder) / "axis.csv"
            write_record(record, rows)
            command = [given.bristle, "fit", record, "--measured", "actuator", "--inertia", "find", "--law", given.law, "--out", folder]
            began = time.monotonic()
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.monotonic() - began
            if status != 0:
                raise SystemExit(f"{given.bristle}: status {status} with {rows} rows")
            processor, memory = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
            print(f"| {rows:.0e} | {wall:.1f} s | {processor:.1f} s | {processor / rows * 1e6:.0f} us"
                  f" | {memory / 1e9:.2f} GB | {memory / rows:.0f} B |", flush=True)


if __name__ == "__main__":
    main()
