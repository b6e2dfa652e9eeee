#!/usr/bin/python3
"""GTK 4: a grid of check buttons w0, w1, …"""
import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402

from common import grid_size, tell  # noqa: E402

rows, columns = grid_size()
loop = GLib.MainLoop()
window = Gtk.Window(title="Grid 4")
window.connect("close-request", lambda w: loop.quit())
grid = Gtk.Grid()
for i in range(rows * columns):
    check = Gtk.CheckButton(label=f"w{i}")
    check.connect("toggled", lambda c: tell(f"toggled {c.get_label()} {c.get_active()}"))
    grid.attach(check, i % columns, i // columns, 1, 1)
window.set_child(grid)
window.present()
tell("ready")
loop.run()
