#!/usr/bin/python3
"""GTK 3: lists and menus that open over the window. What was chosen is told in the log."""
import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402

from common import CHOICES, tell  # noqa: E402


def menu_of(prefix):
    menu = Gtk.Menu()
    for choice in CHOICES:
        item = Gtk.MenuItem(label=f"{prefix} {choice}")
        item.connect("activate", lambda i, c=choice: tell(f"{prefix.lower()} {c}"))
        menu.append(item)
    menu.show_all()
    return menu


window = Gtk.Window(title="Combo 3", default_width=420, default_height=360)
window.connect("destroy", Gtk.main_quit)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
window.add(box)
bar = Gtk.MenuBar()
top = Gtk.MenuItem(label="Top")
top.set_submenu(menu_of("Bar"))
bar.append(top)
box.add(bar)
combo = Gtk.ComboBoxText()
combo.get_accessible().set_name("Combos")
for choice in CHOICES:
    combo.append_text(f"Combo {choice}")
combo.set_active(0)
combo.connect("changed", lambda c: tell(f"combo {c.get_active_text()}"))
box.add(combo)
box.add(Gtk.MenuButton(label="Menu", popup=menu_of("Menu")))
below = Gtk.Button(label="Below", vexpand=True)
below.connect("clicked", lambda b: tell("below"))
box.add(below)
window.show_all()
tell("ready")
Gtk.main()
