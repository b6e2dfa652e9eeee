#!/usr/bin/python3
"""Qt 6: lists and menus that open over the window. What was chosen is told in the log."""
import sys

from PyQt6.QtWidgets import (QApplication, QComboBox, QMainWindow, QMenu, QPushButton, QSizePolicy,
                             QVBoxLayout, QWidget)

from common import CHOICES, tell

app = QApplication(sys.argv)
window = QMainWindow()
window.setWindowTitle("Combo 6")
window.resize(420, 360)


def fill(menu, prefix):
    for choice in CHOICES:
        menu.addAction(f"{prefix} {choice}").triggered.connect(
            lambda _=False, c=choice: tell(f"{prefix.lower()} {c}"))
    return menu


fill(window.menuBar().addMenu("Top"), "Bar")
inner = QWidget()
window.setCentralWidget(inner)
box = QVBoxLayout(inner)
combo = QComboBox()
combo.setAccessibleName("Combos")
combo.addItems([f"Combo {c}" for c in CHOICES])
combo.currentTextChanged.connect(lambda t: tell(f"combo {t}"))
box.addWidget(combo)
button = QPushButton("Menu")
button.setMenu(fill(QMenu(button), "Menu"))
box.addWidget(button)
below = QPushButton("Below")
below.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
below.clicked.connect(lambda: tell("below"))
box.addWidget(below)
window.show()
tell("ready")
sys.exit(app.exec())
