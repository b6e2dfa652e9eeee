#!/usr/bin/python3
"""GTK 3: a grid of check buttons w0, w1, … in decorated rows."""
import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402

from common import grid_size, tell  # noqa: E402

rows, columns = grid_size()
window = Gtk.Window(title="Grid 3")
window.connect("destroy", Gtk.main_quit)
grid = Gtk.Grid()
for i in range(rows * columns):
    check = Gtk.CheckButton(label=f"w{i}")
    check.connect("toggled", lambda c: tell(f"toggled {c.get_label()} {c.get_active()}"))
    grid.attach(check, i % columns, i // columns, 1, 1)
window.add(grid)
window.show_all()
tell("ready")
Gtk.main()
