#!/usr/bin/python3
"""GTK 3: a form with every kind of input deft fills, and a list that scrolls."""
import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402

from common import tell  # noqa: E402


def named(widget, name):
    widget.get_accessible().set_name(name)
    return widget


window = Gtk.Window(title="Form 3", default_width=520, default_height=640)
window.connect("destroy", Gtk.main_quit)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6, margin=12)
name = named(Gtk.Entry(), "Name")
name.connect("changed", lambda e: tell(f"name {e.get_text()}"))
secret = named(Gtk.Entry(visibility=False), "Password")
secret.connect("changed", lambda e: tell(f"password {len(e.get_text())}"))
notes = named(Gtk.TextView(), "Notes")
notes.set_size_request(-1, 60)
notes.get_buffer().connect(
    "changed", lambda b: tell(f"notes {b.get_char_count()}"))
scale = named(Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1), "Volume")
scale.connect("value-changed", lambda s: tell(f"volume {s.get_value():g}"))
spin = named(Gtk.SpinButton.new_with_range(0, 50, 1), "Count")
spin.connect("value-changed", lambda s: tell(f"count {s.get_value():g}"))
bold = Gtk.CheckButton(label="Bold")
bold.connect("toggled", lambda c: tell(f"bold {c.get_active()}"))
save = Gtk.Button(label="Save")
status = Gtk.Label(label="not saved")
gone = Gtk.Button(label="Vanish")
dead = Gtk.Button(label="Disabled", sensitive=False)


def on_save(_):
    status.set_text(f"saved {name.get_text()}")
    tell(f"saved {name.get_text()}")


def on_vanish(button):
    tell("vanished")
    button.destroy()


save.connect("clicked", on_save)
gone.connect("clicked", on_vanish)
dead.connect("clicked", lambda b: tell("disabled was pressed"))
rows = Gtk.ListBox()
for i in range(60):
    row = Gtk.Button(label=f"Row {i}")
    row.connect("clicked", lambda b: tell(f"row {b.get_label()}"))
    rows.add(row)
scroll = Gtk.ScrolledWindow(vexpand=True)
scroll.add(rows)
for w in (name, secret, notes, scale, spin, bold, save, status, gone, dead, scroll):
    box.add(w)
window.add(box)
window.show_all()
tell("ready")
Gtk.main()
