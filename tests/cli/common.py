"""Imported by the tests in this folder: runs the program, provides an experiment, counts failed checks."""
import os
import pathlib
import pty
import select
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
if len(sys.argv) != 2:
    sys.exit(f"usage: {sys.argv[0]} BRISTLE (the program)")
PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
_scratch = tempfile.TemporaryDirectory()
WORK = pathlib.Path(_scratch.name)
ALL_ENDS = {".csv", ".json", ".gp", ".points.csv", ".svg", ".png"}
_count = {"checks": 0, "failures": 0}

# A mass pulled over a rough table through a spring sticks and slips (A08 fig 4).
PULLED = """
title = "Stick-slip of a pulled mass"
source = "A08 fig 4"
[law]
kind = "lugre"
sigma0 = 2940.0
sigma1 = 108.0
Fc = 2.94
Fs = 5.88
vs = 0.1
alpha = 1.0
[rig]
kind = "pulled_spring"
mass = 1.0
stiffness = 2.0
velocity = 2.0
[run]
duration = 20.0
rtol = 1e-8
samples = 201
"""
CLAIM = """
[[claim]]
measure = "stick_begin"
at = 1
between = [4.6, 4.85]
source = "A08 p.107"
text = "the mass sticks from about 4.8 s"
"""
# One billion steps take minutes: a run to interrupt.
ENDLESS = PULLED.replace("rtol = 1e-8", 'method = "coupled"\nstep = 2e-8')


def check(ok, what, shown=""):
    _count["checks"] += 1
    if not ok:
        _count["failures"] += 1
        print(f"FAILED: {what}")
        if shown:
            print("    " + repr(shown)[:2000])


def finish():
    print(f"{_count['checks']} checks, {_count['failures']} failures")
    if _count["checks"] == 0:
        sys.exit("FAILED: this test looked at nothing")
    sys.exit(1 if _count["failures"] else 0)


def experiment(name, text):
    """Writes an experiment into the scratch folder; returns its path."""
    path = WORK / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def bristle(*arguments, cwd=None, timeout=120, stdout=subprocess.PIPE, **environment):
    return subprocess.run([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                          cwd=cwd or WORK, timeout=timeout, env={**os.environ, **environment},
                          text=True, encoding="utf-8", errors="surrogateescape")


def files(folder):
    """The names of everything in a folder, hidden or not; nothing if there is no such folder."""
    folder = pathlib.Path(folder)
    return {p.name for p in folder.iterdir()} if folder.is_dir() else set()


def named(name, ends=ALL_ENDS):
    return {name + end for end in ends}


def has_terminals():
    """Whether this machine hands out pseudo terminals; says so where it does not (a bare chroot)."""
    try:
        for end in pty.openpty():
            os.close(end)
        return True
    except OSError as error:
        print(f"SKIPPED what needs a terminal: this machine has none to give ({error})")
        return False


class Terminal:
    """The program with a terminal of its own for its output, its messages, or both."""

    def __init__(self, *arguments, columns=100, cwd=None, output=True, messages=True, **environment):
        master, slave = pty.openpty()
        import fcntl
        import struct
        import termios
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        env = {**os.environ, **environment}
        env.pop("COLUMNS", None)
        self.process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, cwd=cwd or WORK, env=env,
                                        stdout=slave if output else subprocess.DEVNULL,
                                        stderr=slave if messages else subprocess.DEVNULL)
        os.close(slave)
        self.master, self.text = master, ""

    def read(self, seconds, until=None):
        """Reads for so long, or until the program ends or has written the text."""
        end = time.time() + seconds
        while time.time() < end and not (until and until in self.text):
            if not select.select([self.master], [], [], 0.1)[0]:
                if self.process.poll() is not None:
                    break
                continue
            try:
                self.text += os.read(self.master, 65536).decode("utf-8", "surrogateescape")
            except OSError:  # the last writer has closed its side
                break
        return self.text

    def wait(self, seconds=60):
        self.read(seconds)
        try:
            return self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return None
        finally:
            os.close(self.master)
