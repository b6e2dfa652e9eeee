#!/usr/bin/python3
"""GTK 4: lists and menus that open over the window. What was chosen is told in the log."""
import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, Gtk  # noqa: E402

from common import CHOICES, tell  # noqa: E402


def labelled(widget, name):
    widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
    box.append(widget)
    return widget


loop = GLib.MainLoop()
window = Gtk.Window(title="Combo 4", default_width=420, default_height=360)
window.connect("close-request", lambda w: loop.quit())
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6, margin_top=12, margin_start=12,
              margin_end=12)
window.set_child(box)
drop = labelled(Gtk.DropDown.new_from_strings([f"Drop {c}" for c in CHOICES]), "Drops")
drop.connect("notify::selected",
             lambda d, _: tell(f"drop {d.get_selected_item().get_string()}"))
combo = labelled(Gtk.ComboBoxText(), "Combos")
for choice in CHOICES:
    combo.append_text(f"Combo {choice}")
combo.set_active(0)
combo.connect("changed", lambda c: tell(f"combo {c.get_active_text()}"))
menu = Gio.Menu()
actions = Gio.SimpleActionGroup()
for choice in CHOICES:
    action = Gio.SimpleAction.new(choice.lower(), None)
    action.connect("activate", lambda a, _, c=choice: tell(f"menu {c}"))
    actions.add_action(action)
    menu.append(f"Menu {choice}", f"pick.{choice.lower()}")
button = Gtk.MenuButton(label="Menu", menu_model=menu)
button.insert_action_group("pick", actions)
box.append(button)
below = Gtk.Button(label="Below", vexpand=True)
below.connect("clicked", lambda b: tell("below"))
box.append(below)
window.present()
tell("ready")
loop.run()
