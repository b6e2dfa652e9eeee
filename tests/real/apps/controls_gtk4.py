#!/usr/bin/python3
"""GTK 4: controls with habits. What they really hold is told in the log."""
import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402

from common import tell  # noqa: E402


def named(widget, name, signal="value-changed"):
    widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
    widget.connect(signal, lambda w, *_: tell(f"{name} {w.get_value():g}"))
    box.append(widget)
    return widget


def scale(name, low, high, step, value=None):
    made = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, low, high, step)
    made.set_value(low if value is None else value)
    return named(made, name)


loop = GLib.MainLoop()
window = Gtk.Window(title="Controls 4", default_width=520, default_height=640)
window.connect("close-request", lambda w: loop.quit())
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6, margin_top=12, margin_start=12,
              margin_end=12)
window.set_child(box)
scale("Gain", 0, 1, 0.01, 0.2)
scale("Balance", -50, 50, 1, 0)
stuck = scale("Stuck", 0, 100, 1, 10)
stuck.connect("value-changed", lambda w: w.set_value(10))
clamped = scale("Clamped", 0, 100, 1, 10)
clamped.connect("value-changed", lambda w: w.set_value(min(50, w.get_value())))
scale("Off", 0, 100, 1, 40).set_sensitive(False)
named(Gtk.SpinButton.new_with_range(0, 50, 5), "Copies")
progress = Gtk.ProgressBar(fraction=0.4)
progress.update_property([Gtk.AccessibleProperty.LABEL], ["Progress"])
box.append(progress)
window.present()
tell("ready")
loop.run()
