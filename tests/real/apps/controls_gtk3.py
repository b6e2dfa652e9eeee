#!/usr/bin/python3
"""GTK 3: controls with habits. What they really hold is told in the log."""
import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

from common import tell  # noqa: E402


def named(widget, name):
    widget.get_accessible().set_name(name)
    widget.connect("value-changed", lambda w, *_: tell(f"{name} {w.get_value():g}"))
    box.add(widget)
    return widget


def scale(name, low, high, step, value=None):
    made = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, low, high, step)
    made.set_digits(3)
    made.set_value(low if value is None else value)
    return named(made, name)


def only_up_to(limit):
    def clamp(widget):
        if widget.get_value() > limit:
            widget.set_value(limit)
    return clamp


def later(widget):
    """Goes back at once and takes the value 400 ms later."""
    if widget.busy:
        return
    wanted, widget.busy = widget.get_value(), True
    widget.set_value(widget.held)

    def arrive():
        widget.held = wanted
        widget.set_value(wanted)
        widget.busy = False
    GLib.timeout_add(400, arrive)


window = Gtk.Window(title="Controls 3", default_width=520, default_height=640)
window.connect("destroy", Gtk.main_quit)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6, margin=12)
window.add(box)
scale("Gain", 0, 1, 0.01, 0.2)
scale("Balance", -50, 50, 1, 0)
scale("Mirrored", 0, 300, 1, 30).set_direction(Gtk.TextDirection.RTL)
scale("Clamped", 0, 100, 1, 10).connect("value-changed", only_up_to(50))
stuck = scale("Stuck", 0, 100, 1, 10)
stuck.connect("value-changed", lambda w: w.set_value(10))
slow = scale("Slow", 0, 100, 1, 10)
slow.busy, slow.held = False, 10
slow.connect("value-changed", later)
scale("Off", 0, 100, 1, 40).set_sensitive(False)
named(Gtk.SpinButton.new_with_range(0, 50, 5), "Copies")
named(Gtk.VolumeButton(value=0.5), "Loudness")
progress = Gtk.ProgressBar(fraction=0.4)
progress.get_accessible().set_name("Progress")
box.add(progress)
level = Gtk.LevelBar(value=0.4)
level.get_accessible().set_name("Level")
box.add(level)
bar = Gtk.Scrollbar(orientation=Gtk.Orientation.HORIZONTAL,
                    adjustment=Gtk.Adjustment(value=0, lower=0, upper=200, step_increment=1,
                                              page_increment=10, page_size=20))
named(bar, "Way")
window.show_all()
tell("ready")
Gtk.main()
