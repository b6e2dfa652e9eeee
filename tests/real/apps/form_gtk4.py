#!/usr/bin/python3
"""GTK 4: the same form."""
import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402

from common import tell  # noqa: E402


def named(widget, name):
    widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
    return widget


loop = GLib.MainLoop()
window = Gtk.Window(title="Form 4", default_width=520, default_height=640)
window.connect("close-request", lambda w: loop.quit())
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6, margin_top=12, margin_start=12,
              margin_end=12)
name = named(Gtk.Entry(), "Name")
name.connect("changed", lambda e: tell(f"name {e.get_text()}"))
secret = named(Gtk.PasswordEntry(), "Password")
secret.connect("changed", lambda e: tell(f"password {len(e.get_text())}"))
scale = named(Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1), "Volume")
scale.connect("value-changed", lambda s: tell(f"volume {s.get_value():g}"))
spin = named(Gtk.SpinButton.new_with_range(0, 50, 1), "Count")
spin.connect("value-changed", lambda s: tell(f"count {s.get_value():g}"))
bold = Gtk.CheckButton(label="Bold")
bold.connect("toggled", lambda c: tell(f"bold {c.get_active()}"))
wifi = named(Gtk.Switch(halign=Gtk.Align.START), "Wi-Fi")
wifi.connect("notify::active", lambda s, _: tell(f"wifi {s.get_active()}"))
save = Gtk.Button(label="Save")
status = Gtk.Label(label="not saved")
dead = Gtk.Button(label="Disabled", sensitive=False)


def on_save(_):
    status.set_text(f"saved {name.get_text()}")
    tell(f"saved {name.get_text()}")


save.connect("clicked", on_save)
dead.connect("clicked", lambda b: tell("disabled was pressed"))
rows = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
for i in range(60):
    row = Gtk.Button(label=f"Row {i}")
    row.connect("clicked", lambda b: tell(f"row {b.get_label()}"))
    rows.append(row)
scroll = Gtk.ScrolledWindow(vexpand=True)
scroll.set_child(rows)
for w in (name, secret, scale, spin, bold, wifi, save, status, dead, scroll):
    box.append(w)
window.set_child(box)
window.present()
tell("ready")
loop.run()
