#!/usr/bin/python3
"""GTK 4: a window and a dialog that must be answered before it."""
import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402

from common import tell  # noqa: E402


def on_open(_):
    dialog = Gtk.Window(title="Question 4", transient_for=window, modal=True, default_width=160)
    yes = Gtk.Button(label="Yes")
    yes.connect("clicked", lambda b: (tell("answered 1"), dialog.close()))
    dialog.set_child(yes)
    dialog.present()


loop = GLib.MainLoop()
window = Gtk.Window(title="Main 4", default_width=600, default_height=500)
window.connect("close-request", lambda w: loop.quit())
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
window.set_child(box)
for name, act in (("Ask", on_open), ("Work", lambda b: tell("worked"))):
    button = Gtk.Button(label=name, vexpand=True)
    button.connect("clicked", act)
    box.append(button)
window.present()
tell("ready")
loop.run()
