#!/usr/bin/env python3
"""Presses land where they are meant, wherever a window is and however it is scaled: every box of a grid
is pressed, and the program's own log says which one was hit."""
import os
import sys

import tap
import windows
from deft import Deft
from desktop import Desktop, Missing

try:
    DESKTOP = Desktop()
except Missing as e:
    print(f"1..0 # SKIP {e} is not installed")
    sys.exit(0)
DEFT = Deft(DESKTOP)
QT5 = "/usr/lib/x86_64-linux-gnu/qt5/examples/widgets/widgets"
BOXES = 9


def press_all(log, at_least):
    """Presses every box; what is outside of the screen is refused, and nothing else is hit instead."""
    before, hit = len(log.lines()), 0
    for i in range(BOXES):
        answer = DEFT.run("press", "--json", f'label="w{i}"')
        if answer.exit != 0:
            assert answer.error["code"] == "ELEMENT_OFFSCREEN", answer
            continue
        hit += 1
        DESKTOP.wait_until(lambda n=hit: len(log.lines()) >= before + n, f"w{i} to be told", 10)
        assert log.lines()[-1].startswith(f"toggled w{i} "), (i, log.lines())
    assert len(log.lines()) == before + hit and hit >= at_least, (hit, log.lines())


def everywhere(program, title, *env):
    log = DEFT.app(program, "3x3", env=env)
    press_all(log, BOXES)
    windows.place(DESKTOP, title, 137, 41)
    press_all(log, BOXES)
    width = windows.find(DESKTOP, title)[3]
    windows.place(DESKTOP, title, -width // 2, 300)
    press_all(log, 3)
    windows.place(DESKTOP, title, 1920 - width // 2, 700)
    press_all(log, 3)
    windows.maximise(DESKTOP, title)
    press_all(log, BOXES)
    DEFT.run("close", "--force")


def test_gtk3():
    """GTK 3: moved, partly outside of the screen, maximised"""
    everywhere("grid_gtk3", "Grid 3")


def test_gtk3_scaled():
    """GTK 3 with GDK_SCALE=2"""
    everywhere("grid_gtk3", "Grid 3", "GDK_SCALE=2")


def test_gtk4():
    """GTK 4: moved, partly outside of the screen, maximised"""
    everywhere("grid_gtk4", "Grid 4")


def test_gtk4_scaled():
    """GTK 4 with GDK_SCALE=2"""
    everywhere("grid_gtk4", "Grid 4", "GDK_SCALE=2")


def test_qt6():
    """Qt 6: moved, partly outside of the screen, maximised"""
    everywhere("grid_qt6", "Grid 6")


def test_qt6_scaled():
    """Qt 6 with QT_SCALE_FACTOR=1.5"""
    everywhere("grid_qt6", "Grid 6", "QT_SCALE_FACTOR=1.5")


def checked(label):
    found = [n for n in DEFT.ok("snapshot", "--raw").data["nodes"] if n.get("label") == label]
    assert len(found) == 1, (label, found)
    return bool(found[0].get("checked"))


def qt5(*env):
    if not os.path.exists(f"{QT5}/groupbox/groupbox"):
        raise tap.Skip("the Qt 5 examples are not installed")
    more = [word for e in env for word in ("--env", e)]
    DEFT.ok("open", f"{QT5}/groupbox/groupbox", *more)
    for move in (lambda: windows.place(DESKTOP, "Group Boxes", 137, 41),
                 lambda: windows.maximise(DESKTOP, "Group Boxes")):
        move()
        for label in ("Checkbox 1", "Checkbox 2", "Toggle Button", "Push Buttons"):
            was = checked(label)
            DEFT.ok("press", f'label="{label}" role=check-box')
            DESKTOP.wait_until(lambda: checked(label) != was, f"{label} to change", 10)
        # A group box that can be checked has what is in it in its middle: it is switched by its action.
        group = DEFT.ok("press", 'label="Push Buttons" role=check-box').data
        assert group["activation"] == "semantic", group
        DESKTOP.wait_until(lambda: checked("Push Buttons"), "the group to be on again", 10)
    DEFT.run("close", "--force")


def test_qt5():
    """Qt 5: moved and maximised"""
    qt5()


def test_qt5_scaled():
    """Qt 5 with QT_SCALE_FACTOR=1.5"""
    qt5("QT_SCALE_FACTOR=1.5")


if __name__ == "__main__":
    try:
        tap.run(sys.modules[__name__])
    finally:
        DEFT.run("daemon", "stop", "--force")
        DESKTOP.close()
