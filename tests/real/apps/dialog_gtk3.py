#!/usr/bin/python3
"""GTK 3: a window and a dialog that must be answered before it."""
import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402

from common import tell  # noqa: E402


def on_open(_):
    dialog = Gtk.Dialog(title="Question 3", transient_for=window, modal=True)
    dialog.add_button("Yes", 1)
    dialog.connect("response", lambda d, n: (tell(f"answered {n}"), d.destroy()))
    dialog.show_all()


window = Gtk.Window(title="Main 3", default_width=600, default_height=500)
window.connect("destroy", Gtk.main_quit)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
window.add(box)
for name, act in (("Ask", on_open), ("Work", lambda b: tell("worked"))):
    button = Gtk.Button(label=name, expand=True)
    button.connect("clicked", act)
    box.add(button)
window.show_all()
tell("ready")
Gtk.main()
