#!/usr/bin/python3
"""Qt 6: a window and a dialog that must be answered before it."""
import sys

from PyQt6.QtWidgets import QApplication, QDialog, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from common import tell

app = QApplication(sys.argv)
window = QWidget()
window.setWindowTitle("Main 6")
window.resize(600, 500)
box = QVBoxLayout(window)


def on_open():
    dialog = QDialog(window)
    dialog.setWindowTitle("Question 6")
    dialog.setModal(True)
    yes = QPushButton("Yes")
    QVBoxLayout(dialog).addWidget(yes)
    yes.clicked.connect(lambda: (tell("answered 1"), dialog.accept()))
    dialog.show()


for name, act in (("Ask", on_open), ("Work", lambda: tell("worked"))):
    button = QPushButton(name)
    button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
    button.clicked.connect(act)
    box.addWidget(button)
window.show()
tell("ready")
sys.exit(app.exec())
