"""What the sample programs share: they tell on their own, in a log file, what happened to them, so
that a test can hold an answer of deft against the program's own word."""
import os
import sys

ROWS, COLUMNS = 12, 10
CHOICES = ["One", "Two", "Three", "Four", "Five"]


def tell(text):
    path = os.environ.get("APP_LOG")
    if path:
        with open(path, "a", encoding="utf-8") as f:
            f.write(text + "\n")


def grid_size():
    """Rows and columns of the grid programs: argv "ROWSxCOLUMNS"."""
    if len(sys.argv) > 1:
        rows, columns = sys.argv[1].split("x")
        return int(rows), int(columns)
    return ROWS, COLUMNS
