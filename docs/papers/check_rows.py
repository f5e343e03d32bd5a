#!/usr/bin/env python3
"""Check of the audit tables docs/papers/rows_*.tsv.

Each row states one formula, property, statement or figure of a paper and the places in this project that implement
and check it. A place or test is `path#text`: a file, relative to the project's root, and a text that stands in it.
Several are separated by "; ". "-" means none.

Usage: check_rows.py [file ...]       without arguments: all rows_*.tsv in the folder of this script
Prints one line per problem and exits 1; exits 0 if there is none.
"""
import pathlib
import re
import sys

COLUMNS = ["paper", "item", "statement", "place", "test", "status", "note"]
STATUSES = ["holds", "corrected", "partial", "missing", "not checkable"]
PAPERS = ["A08", "B05", "C95", "K08", "M05", "N13"]
FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent

texts = {}  # path: content, or None if there is no such file


def content(path):
    if path not in texts:
        file = ROOT / path
        texts[path] = file.read_text(encoding="utf-8") if file.is_file() else None
    return texts[path]


def problems_of_reference(reference):
    """Yields what is wrong with one `path#text`."""
    path, mark, text = reference.partition("#")
    if not mark or not path or not text:
        yield f'"{reference}" is not path#text'
    elif path.startswith("/") or ".." in path.split("/"):
        yield f'"{path}" is not relative to the project\'s root'
    elif content(path) is None:
        yield f'"{path}" is not a file'
    elif text not in content(path):
        yield f'"{text}" does not stand in {path}'


def references(cell):
    return [] if cell in ("", "-") else cell.split("; ")


def problems_of_row(row):
    for column in ("paper", "item", "statement", "status"):
        if not row[column]:
            yield f"{column} is empty"
    for column in COLUMNS:
        if row[column] != row[column].strip():
            yield f"{column} begins or ends with a space"
    if row["paper"] not in PAPERS:
        yield f'paper "{row["paper"]}" is not one of {", ".join(PAPERS)}'
    if row["status"] not in STATUSES:
        yield f'status "{row["status"]}" is not one of {", ".join(STATUSES)}'
    for column in ("place", "test"):
        for reference in references(row[column]):
            for problem in problems_of_reference(reference):
                yield f"{column}: {problem}"
        if row["status"] == "holds" and not references(row[column]):
            yield f"status is holds, but {column} is empty"
    if row["status"] != "holds" and not row["note"]:
        yield f'status is {row["status"]}, but note is empty'
    if row["status"] == "corrected" and not re.search(r"\bE\d+\b|[Nn]ot listed yet", row["note"]):
        yield 'note names no erratum (E1 ...) and does not say "not listed yet"'


def main(arguments):
    files = [pathlib.Path(a).resolve() for a in arguments] or sorted(FOLDER.glob("rows_*.tsv"))
    if not files:
        print(f"{FOLDER}: no rows_*.tsv")
        return 1
    count = 0
    first_at = {}  # (paper, item): place of its first row
    numbers = {status: 0 for status in STATUSES}
    for file in files:
        # splitlines() would also split at characters such as U+2028
        lines = file.read_text(encoding="utf-8").split("\n")
        if lines and lines[-1] == "":
            lines.pop()
        found = []
        if not lines or lines[0].split("\t") != COLUMNS:
            found.append((1, "header", "must be: " + " ".join(COLUMNS) + ", separated by tabs"))
            lines = lines[:1]
        for number, line in enumerate(lines[1:], 2):
            cells = line.split("\t")
            if len(cells) != len(COLUMNS):
                found.append((number, line[:40], f"{len(cells)} columns instead of {len(COLUMNS)}"))
                continue
            row = dict(zip(COLUMNS, cells))
            key = row["paper"], row["item"]
            found += [(number, row["item"], problem) for problem in problems_of_row(row)]
            if key in first_at:
                found.append((number, row["item"], f"stands twice; first in {first_at[key]}"))
            first_at.setdefault(key, f"{file.name}:{number}")
            if row["status"] in numbers:
                numbers[row["status"]] += 1
        for number, item, problem in found:
            print(f"{file.name}:{number}: {item}: {problem}")
        count += len(found)
    print(f"{sum(numbers.values())} rows: " + ", ".join(f"{numbers[s]} {s}" for s in STATUSES) + f"; {count} problems")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
