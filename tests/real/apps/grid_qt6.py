#!/usr/bin/python3
"""Qt 6: a grid of check boxes w0, w1, …"""
import sys

from PyQt6.QtWidgets import QApplication, QCheckBox, QGridLayout, QWidget

from common import grid_size, tell

rows, columns = grid_size()
app = QApplication(sys.argv[:1])
window = QWidget()
window.setWindowTitle("Grid 6")
grid = QGridLayout(window)
for i in range(rows * columns):
    check = QCheckBox(f"w{i}")
    check.toggled.connect(lambda on, n=i: tell(f"toggled w{n} {on}"))
    grid.addWidget(check, i // columns, i % columns)
window.show()
tell("ready")
sys.exit(app.exec())
