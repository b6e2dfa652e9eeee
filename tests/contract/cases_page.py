#!/usr/bin/env python3
"""Every test that docs/cases.md names exists, and no case is missing or there twice. Prints TAP.

  cases_page.py SOURCE_ROOT"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
# The cases that a row is wanted for, by section.
NUMBERS = {
    "A": [1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 15, 18, 19, 20, 22, 23, 25, 26, 28],
    "B": [1, 2, 4, 6, 8, 9, 11, 12, 13, 15],
    "C": [1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 15, 17],
    "E": [1, 2, 3, 5, 6, 8, 9, 11],
    "F": [1, 3, 5, 6, 8, 9, 10, 12, 13, 14, 17, 18, 19],
    "G": [1, 2, 3, 5, 6, 7, 9, 11, 12, 14, 16],
    "J": [1, 3, 4, 6, 8, 10, 11, 12],
    "K": [1, 2, 5, 6, 7, 9, 11, 12],
    "L": [1, 3, 5, 6, 9, 10, 12],
    "N": [1, 3, 4, 7, 8, 9],
}
WANTED = [f"{section}{n:02}" for section, numbers in NUMBERS.items() for n in numbers]


def has_test(path, name):
    """The file defines a case of this name: a function of C or Python, or a title in JavaScript."""
    file = ROOT / path
    if not file.is_file():
        return False
    word = re.escape(name)
    forms = {".c": rf"^static void {word}\(void \*\*", ".py": rf"^def {word}\(",
             ".mjs": rf"^test\('{word}'"}
    return re.search(forms[file.suffix], file.read_text(encoding="utf-8"), re.MULTILINE) is not None


def check(case, cell):
    if re.fullmatch(r"later: [a-z ,]+", cell):
        return []
    tests = [re.fullmatch(r"`([^`]+)` `([^`]+)`", part) for part in cell.split("<br>")]
    if not all(tests):
        return [f"{case}: \"{cell}\" is neither tests nor later"]
    return [f"{case}: {t[1]} has no {t[2]}" for t in tests if not has_test(t[1], t[2])]


def main():
    page = (ROOT / "docs/cases.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([A-Z]\d\d) \| [^|]+ \| ([^|]+) \|$", page, re.MULTILINE)
    missing = [problem for case, cell in rows for problem in check(case, cell)]
    results = {"every case has one row": [case for case, _ in rows] == WANTED,
               "every test that is named exists": not missing}
    print(f"1..{len(results)}")
    for i, (title, good) in enumerate(results.items(), 1):
        print(f"{'ok' if good else 'not ok'} {i} - {title}")
    for problem in missing:
        print(f"# {problem}")
    return 0 if all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
