#!/usr/bin/python3
"""Qt 6: the same form."""
import sys

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import (QApplication, QCheckBox, QLabel, QLineEdit, QPlainTextEdit, QPushButton,
                             QScrollArea, QSlider, QSpinBox, QVBoxLayout, QWidget)

from common import tell

app = QApplication(sys.argv)
window = QWidget()
window.setWindowTitle("Form 6")
window.resize(520, 640)
box = QVBoxLayout(window)
name = QLineEdit()
name.setAccessibleName("Name")
name.textChanged.connect(lambda t: tell(f"name {t}"))
secret = QLineEdit()
secret.setEchoMode(QLineEdit.EchoMode.Password)
secret.setAccessibleName("Password")
secret.textChanged.connect(lambda t: tell(f"password {len(t)}"))
notes = QPlainTextEdit()
notes.setAccessibleName("Notes")
notes.setMaximumHeight(60)
notes.textChanged.connect(lambda: tell(f"notes {len(notes.toPlainText())}"))
scale = QSlider(Qt.Orientation.Horizontal)
scale.setRange(0, 100)
scale.setAccessibleName("Volume")
scale.valueChanged.connect(lambda v: tell(f"volume {v}"))
spin = QSpinBox()
spin.setRange(0, 50)
spin.setAccessibleName("Count")
spin.valueChanged.connect(lambda v: tell(f"count {v}"))
bold = QCheckBox("Bold")
bold.toggled.connect(lambda on: tell(f"bold {on}"))
save = QPushButton("Save")
status = QLabel("not saved")
dead = QPushButton("Disabled")
dead.setEnabled(False)


def on_save():
    status.setText(f"saved {name.text()}")
    tell(f"saved {name.text()}")


save.clicked.connect(on_save)
inner = QWidget()
rows = QVBoxLayout(inner)
for i in range(60):
    row = QPushButton(f"Row {i}")
    row.clicked.connect(lambda _=False, n=i: tell(f"row Row {n}"))
    rows.addWidget(row)
scroll = QScrollArea()
scroll.setWidget(inner)
scroll.setWidgetResizable(True)
for w in (name, secret, notes, scale, spin, bold, save, status, dead, scroll):
    box.addWidget(w)
window.show()
tell("ready")
sys.exit(app.exec())
