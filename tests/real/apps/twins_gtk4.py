#!/usr/bin/python3
"""GTK 4: two windows that nobody can tell apart from outside: one title, one size."""
import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402

from common import tell  # noqa: E402

loop = GLib.MainLoop()
for side in ("left", "right"):
    window = Gtk.Window(title="Twin", default_width=300, default_height=200)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    go = Gtk.Button(label=f"Go {side}")
    go.connect("clicked", lambda b: tell(b.get_label().lower()))
    box.append(go)
    rows = Gtk.ListBox()
    for i in range(3):
        rows.append(Gtk.Label(label=f"Row {side} {i}"))
    rows.connect("row-selected", lambda l, r: r and tell(f"selected {r.get_child().get_label()}"))
    box.append(rows)
    window.set_child(box)
    window.present()
tell("ready")
loop.run()
