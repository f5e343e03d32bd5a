# Sourced by the scripts in this folder: root of the tree, scratch folder, functions that report steps and failures.
# shellcheck shell=bash disable=SC2034  # root and work are used by the scripts that read this
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { echo "FAILED: $*" >&2; exit 1; }

# A test that cannot run has failed; it is never skipped.
need() { command -v "$1" >/dev/null || fail "$1 is missing; run tools/setup test"; }

# Prints the command, runs it, and shows its output only if it fails.
run() {
    echo "+ $*"
    "$@" >"$work/output" 2>&1 || { cat "$work/output"; fail "$*"; }
}
