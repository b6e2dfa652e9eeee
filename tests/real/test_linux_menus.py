#!/usr/bin/env python3
"""Lists, menus and dialogs of real toolkits: what opens over a window has places of its own, covers what
is below, and keeps clicks from the rest. The programs' own logs are the proof."""
import sys

import tap
from deft import APPS, Deft
from desktop import Desktop, Missing

sys.path.insert(0, str(APPS))
from common import CHOICES  # noqa: E402

try:
    DESKTOP = Desktop()
except Missing as e:
    print(f"1..0 # SKIP {e} is not installed")
    sys.exit(0)
DEFT = Deft(DESKTOP)


def close():
    DEFT.run("close", "--force")


def press(selector):
    return DEFT.ok("press", selector).data


def await_press(selector):
    """What a press opens comes up a moment later."""
    DESKTOP.wait_until(lambda: DEFT.run("press", selector).exit == 0, f"{selector} to be pressed", 10)


def nodes():
    return DEFT.ok("snapshot", "--raw").data["nodes"]


def shown(*roles):
    return [n for n in nodes() if n["role"] in roles and n.get("hittable")]


def every_choice(log, opener, prefix, role):
    """Opens the list once for every row, presses that row and reads the program's word on it."""
    for choice in CHOICES[1:] + CHOICES[:1]:
        press(opener)
        await_press(f'label="{prefix} {choice}" role={role}')
        log.expect(f"{prefix.lower()} {choice}" if prefix in ("Bar", "Menu")
                   else f"{prefix.lower()} {prefix} {choice}")
    told = [line for line in log.lines() if line.startswith(f"{prefix.lower()} ")]
    assert len(told) == len(CHOICES), told


def menu_covers(log, opener, row):
    """While a menu is open everything else is refused, and works again afterwards."""
    press(opener)
    DESKTOP.wait_until(lambda: any(n.get("label") == row for n in shown("menu-item")), row)
    DEFT.fails("ELEMENT_COVERED", "press", 'label="Below"')
    log.never("below")
    DEFT.ok("key", "escape")
    DESKTOP.wait_until(lambda: not shown("menu-item") or
                       not any(n.get("label") == row for n in shown("menu-item")), "no menu")
    await_press('label="Below"')
    log.expect("below")


def test_gtk3():
    """GTK 3: every row of a combo box, a menu button and a menu bar is pressed as meant"""
    log = DEFT.app("combo_gtk3")
    every_choice(log, 'label="Combos" role=combo-box', "Combo", "menu-item")
    every_choice(log, 'label="Menu" role=toggle-button', "Menu", "menu-item")
    every_choice(log, 'label="Top"', "Bar", "menu-item")


def test_gtk3_menu_covers():
    """GTK 3: an open menu keeps clicks from the window below it"""
    close()
    menu_covers(DEFT.app("combo_gtk3"), 'label="Menu" role=toggle-button', "Menu One")
    close()


def test_gtk4():
    """GTK 4: every row of a drop-down and of a popover menu is pressed as meant"""
    log = DEFT.app("combo_gtk4")
    every_choice(log, 'label="Drops"', "Drop", "list-item")
    every_choice(log, 'label="Menu"', "Menu", "menu-item")
    combo = next(n for n in nodes() if n.get("label") == "Drops")
    assert combo["value"] == "Drop One", combo


def test_gtk4_drawn_rows():
    """GTK 4: the rows of a combo box have no names; each is pressed by its ref"""
    log = DEFT.app("combo_gtk4")
    for i in [1, 2, 3, 4, 0]:
        press('label="Combos"')
        DESKTOP.wait_until(lambda: len(shown("list-item")) == len(CHOICES), "the rows")
        DEFT.ok("press", f"@{shown('list-item')[i]['ref']}")
        log.expect(f"combo Combo {CHOICES[i]}")
        DESKTOP.wait_until(lambda: not shown("list-item"), "the list to close")


def test_gtk4_menu_covers():
    """GTK 4: an open popover keeps clicks from the window below it"""
    close()
    menu_covers(DEFT.app("combo_gtk4"), 'label="Menu"', "Menu One")
    close()


def test_qt6():
    """Qt 6: every row of a combo box and of a menu bar is pressed as meant"""
    log = DEFT.app("combo_qt6")
    for choice in CHOICES[1:] + CHOICES[:1]:
        press("role=combo-box")
        await_press(f'label="Combo {choice}" role=list-item')
        log.expect(f"combo Combo {choice}")
    every_choice(log, 'label="Top"', "Bar", "menu-item")


def test_qt6_menu_covers():
    """Qt 6: an open menu keeps clicks from the window below it"""
    menu_covers(DEFT.app("combo_qt6"), 'label="Top"', "Bar One")


def test_qt6_menu_of_a_button():
    """Qt 6: a menu that the program keeps from its tree is said so, and keys reach it"""
    log = DEFT.app("combo_qt6")
    press('label="Menu"')
    DESKTOP.wait_until(lambda: any("menu" in w for w in
                                   DEFT.ok("snapshot", "-i").data.get("warnings", [])), "a warning")
    DEFT.ok("key", "down")
    DEFT.ok("key", "down")
    DEFT.ok("key", "enter")
    log.expect("menu Two")
    assert not DEFT.ok("snapshot", "-i").data.get("warnings")
    close()


def dialog(name):
    log = DEFT.app(f"dialog_{name}")
    press('label="Ask"')
    DESKTOP.wait_until(lambda: any(n.get("label") == "Yes" for n in shown("button")), "the dialog")
    # Far from the dialog, with nothing on top of it: only the dialog keeps clicks away.
    refused = DEFT.fails("ELEMENT_COVERED", "press", 'label="Work"')
    assert "Question" in refused.error["message"], refused
    log.never("worked")
    await_press('label="Yes"')
    log.expect("answered 1")
    await_press('label="Work"')
    log.expect("worked")
    close()


def test_dialog_gtk3():
    """GTK 3: a modal dialog is answered before the window takes clicks"""
    dialog("gtk3")


def test_dialog_gtk4():
    """GTK 4: a modal dialog is answered before the window takes clicks"""
    dialog("gtk4")


def test_dialog_qt6():
    """Qt 6: a modal dialog is answered before the window takes clicks"""
    dialog("qt6")


def test_twins():
    """GTK 4: two windows of one title and size have no places; their own actions are used, and said"""
    log = DEFT.app("twins_gtk4")
    DESKTOP.wait_until(lambda: len([n for n in nodes() if n["role"] == "window"]) == 2, "two windows")
    for side in ("left", "right"):
        for label, told in ((f"Go {side}", f"go {side}"),
                            (f"Row {side} 1", f"selected Row {side} 1")):
            done = press(f'label="{label}" role={"button" if told.startswith("go") else "list-item"}')
            assert done["activation"] == "semantic" and "look the same" in done["reason"], done
            log.expect(told)
    DEFT.fails("ELEMENT_NOT_INTERACTABLE", "press", 'label="Go left"', "--button", "secondary")
    close()


if __name__ == "__main__":
    try:
        tap.run(sys.modules[__name__])
    finally:
        DEFT.run("daemon", "stop", "--force")
        DESKTOP.close()
