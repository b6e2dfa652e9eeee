#!/usr/bin/python3
"""Qt 6: controls with habits. What they really hold is told in the log."""
import sys

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import (QApplication, QDial, QDoubleSpinBox, QProgressBar, QScrollBar, QSlider,
                             QVBoxLayout, QWidget)

from common import tell

app = QApplication(sys.argv)
window = QWidget()
window.setWindowTitle("Controls 6")
window.resize(520, 480)
box = QVBoxLayout(window)


def named(widget, name, low, high, value):
    widget.setAccessibleName(name)
    widget.setRange(low, high)
    widget.setValue(value)
    widget.valueChanged.connect(lambda v: tell(f"{name} {v:g}"))
    box.addWidget(widget)
    return widget


named(QSlider(Qt.Orientation.Horizontal), "Gain", 0, 1000, 200)
named(QSlider(Qt.Orientation.Horizontal), "Balance", -50, 50, 0)
stuck = named(QSlider(Qt.Orientation.Horizontal), "Stuck", 0, 100, 10)
stuck.valueChanged.connect(lambda v: stuck.setValue(10))
clamped = named(QSlider(Qt.Orientation.Horizontal), "Clamped", 0, 100, 10)
clamped.valueChanged.connect(lambda v: clamped.setValue(min(v, 50)))
named(QSlider(Qt.Orientation.Horizontal), "Off", 0, 100, 40).setEnabled(False)
named(QDial(), "Dial", 0, 100, 30)
named(QScrollBar(Qt.Orientation.Horizontal), "Way", 0, 200, 0)
spin = named(QDoubleSpinBox(), "Copies", 0, 50, 0)
spin.setSingleStep(0.5)
bar = QProgressBar()
bar.setAccessibleName("Progress")
bar.setRange(0, 100)
bar.setValue(40)
box.addWidget(bar)
window.show()
tell("ready")
sys.exit(app.exec())
