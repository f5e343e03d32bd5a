#!/usr/bin/env python3
"""The fit of fit_bench.cpp with scipy.optimize.least_squares, and its time relative to ours.

usage: bench/fit_scipy.py [BRISTLE_BENCH]     default: build/bench/bench/bristle_bench

The same motion (25 000 samples), law (LuGre with inertia), start and relative tolerance (1e-8) as fit_problem.hpp; derivatives by
2-point differences. Models: in Python as a plain loop over the samples; in Python with NumPy, where only the recursion is a loop; in C,
compiled with cc -O3, through ctypes. Prints seconds of processor time (the smallest of 9 repetitions; one of the
plain loop), evaluations and ratios of one run. Needs numpy, scipy and a C compiler.
"""
import ctypes
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # one core, as ours
import numpy as np
from scipy.optimize import least_squares

ROWS, DT = 25000, 1e-3
REPETITIONS = 9  # the smallest counts, as in our tables
NAMES = ["sigma0", "sigma1", "sigma2", "Fc", "Fs", "vs", "inertia"]
TRUTH = np.array([2e5, 600, 60, 20, 30, 5e-3, 8])
START = np.array([1e5, 900, 40, 15, 40, 9e-3, 5])

C_MODEL = r"""
#include <math.h>
void residuals(const double* p, const double* u, const double* v, const double* a, const double* y, double dt, int n, double* r) {
    double z = 0;
    for (int i = 0; i < n; ++i) {
        if (i > 0) {
            const double w = u[i], g = p[3] + (p[4] - p[3]) * exp(-(w / p[5]) * (w / p[5]));
            const double e = exp(-p[0] * fabs(w) / g * dt);
            z = e * z + (1 - e) * (w > 0 ? g : w < 0 ? -g : 0) / p[0];
        }
        const double g = p[3] + (p[4] - p[3]) * exp(-(v[i] / p[5]) * (v[i] / p[5]));
        const double rate = v[i] - p[0] * fabs(v[i]) / g * z;
        r[i] = y[i] - p[6] * a[i] - p[0] * z - p[1] * rate - p[2] * v[i];
    }
}
"""


def motion():
    t = np.arange(ROWS) * DT
    x = 8e-3 * np.sin(2 * math.pi * 0.7 * t + 0.3) + 5e-5 * np.sin(2 * math.pi * 11 * t)
    v = np.gradient(x, DT)
    v[2:-2] = (x[:-4] - 8 * x[1:-3] + 8 * x[3:-1] - x[4:]) / (12 * DT)
    a = np.gradient(v, DT)
    a[2:-2] = (-x[:-4] + 16 * x[1:-3] - 30 * x[2:-2] + 16 * x[3:-1] - x[4:]) / (12 * DT * DT)
    return np.concatenate([[0], np.diff(x) / DT]), v, a


def force(p, u, v, a):
    """Model in Python: everything that does not depend on z is vectorised."""
    sigma0, sigma1, sigma2, Fc, Fs, vs, inertia = p
    g = Fc + (Fs - Fc) * np.exp(-((u / vs) ** 2))
    decay = np.exp(-sigma0 * np.abs(u) / g * DT)
    gain = ((1 - decay) * np.sign(u) * g / sigma0).tolist()
    z, out = 0.0, [0.0] * ROWS
    for i, e in enumerate(decay.tolist()):
        if i:
            z = e * z + gain[i]
            out[i] = z
    z = np.array(out)
    g = Fc + (Fs - Fc) * np.exp(-((v / vs) ** 2))
    return inertia * a + sigma0 * z + sigma1 * (v - sigma0 * np.abs(v) / g * z) + sigma2 * v


def force_by_loop(p, u, v, a):
    """Model in Python as it is usually written: one sample after the other."""
    sigma0, sigma1, sigma2, Fc, Fs, vs, inertia = (float(x) for x in p)
    z, out = 0.0, np.empty(ROWS)
    for i in range(ROWS):
        if i:
            g = Fc + (Fs - Fc) * math.exp(-((u[i] / vs) ** 2))
            e = math.exp(-sigma0 * abs(u[i]) / g * DT)
            z = e * z + (1 - e) * math.copysign(g, u[i]) / sigma0
        g = Fc + (Fs - Fc) * math.exp(-((v[i] / vs) ** 2))
        out[i] = inertia * a[i] + sigma0 * z + sigma1 * (v[i] - sigma0 * abs(v[i]) / g * z) + sigma2 * v[i]
    return out


def compiled(folder):
    source, library = Path(folder) / "model.c", Path(folder) / "model.so"
    source.write_text(C_MODEL)
    subprocess.run(["cc", "-O3", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
    return ctypes.CDLL(str(library)).residuals


def timed(residuals, repetitions=REPETITIONS):
    least = math.inf
    for _ in range(repetitions):
        began = time.process_time()
        found = least_squares(residuals, START, jac="2-point", x_scale=START, ftol=1e-8, xtol=1e-10, gtol=1e-14,
                              bounds=(0, np.inf))
        least = min(least, time.process_time() - began)
    return least, found


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "build/bench/bench/bristle_bench"
    u, v, a = motion()
    y = force(TRUTH, u, v, a) + 0.4 * np.random.default_rng(1).standard_normal(ROWS)
    loop = timed(lambda p: y - force_by_loop(p, u.tolist(), v.tolist(), a.tolist()), 1)
    python = timed(lambda p: y - force(p, u, v, a))
    with tempfile.TemporaryDirectory() as folder:
        model = compiled(folder)
        pointer = lambda array: array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
        result = np.empty(ROWS)

        def in_c(p):
            p = np.ascontiguousarray(p)
            model(pointer(p), pointer(u), pointer(v), pointer(a), pointer(y), ctypes.c_double(DT), ROWS, pointer(result))
            return result.copy()

        c = timed(in_c)
    with tempfile.NamedTemporaryFile() as out:  # not standard output: the program prints its own tables there
        subprocess.run([program, "--benchmark_filter=^fit/solve", f"--benchmark_out={out.name}", "--benchmark_out_format=json"],
                       check=True, capture_output=True)
        report = json.load(out)
    ours = next(b for b in report["benchmarks"] if b.get("aggregate_name") == "min")
    seconds = ours["cpu_time"] * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[ours["time_unit"]]
    print("LuGre with inertia, 25 000 samples, 7 parameters, one start")
    print(f"  {'bristle':28s} {seconds:8.3f} s  {ours['evaluations']:4.0f} evaluations with derivatives")
    for name, (took, found) in (("SciPy, loop in Python", loop), ("SciPy, model in NumPy", python), ("SciPy, model in C", c)):
        print(f"  {name:28s} {took:8.3f} s  {found.nfev:4d} evaluations, {found.njev} with derivatives: {took / seconds:.1f} times")
        for parameter, value in zip(NAMES, found.x):
            if abs(value / ours[parameter] - 1) > 0.03:
                print(f"    {parameter}: {value:.6g}, ours {ours[parameter]:.6g}")


if __name__ == "__main__":
    main()
