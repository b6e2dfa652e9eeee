"""Moves and sizes windows from outside, as a person at the desktop would. libX11 comes with the toolkits."""
import ctypes
import subprocess

X = None


class _ClientMessage(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong),
                ("message_type", ctypes.c_ulong), ("format", ctypes.c_int),
                ("data", ctypes.c_long * 5), ("pad", ctypes.c_long * 16)]


def _open(desktop):
    global X
    if X is None:
        X = ctypes.CDLL("libX11.so.6")
        X.XOpenDisplay.restype = ctypes.c_void_p
        X.XInternAtom.restype = ctypes.c_ulong
        X.XDefaultRootWindow.restype = ctypes.c_ulong
    display = ctypes.c_void_p(X.XOpenDisplay(desktop.env["DISPLAY"].encode()))
    assert display, "no X display"
    return display


def _atom(display, name):
    return X.XInternAtom(display, name.encode(), 0)


def find(desktop, title):
    """The window's number and where its client area is: (id, x, y, width, height)."""
    out = subprocess.run(["xwininfo", "-name", title], env=desktop.env, capture_output=True,
                         text=True, check=True).stdout
    value = {k.strip(): v.strip() for k, v in
             (line.split(":", 1) for line in out.split("\n") if ":" in line)}
    number = int(value["xwininfo"].split("Window id: ")[-1].split()[0], 16)
    return (number, *(int(value[k]) for k in ("Absolute upper-left X", "Absolute upper-left Y",
                                              "Width", "Height")))


def place(desktop, title, x, y):
    """Asks for a place and waits until the window is somewhere near it."""
    display = _open(desktop)
    window = find(desktop, title)[0]
    X.XMoveWindow(display, ctypes.c_ulong(window), x, y)
    X.XFlush(display)
    desktop.wait_until(lambda: abs(find(desktop, title)[1] - x) < 40, f"{title} at {x}")
    X.XCloseDisplay(display)


def maximise(desktop, title):
    display = _open(desktop)
    window, *_, width, _ = find(desktop, title)
    event = _ClientMessage(type=33, window=window, format=32, display=display,
                           message_type=_atom(display, "_NET_WM_STATE"))
    event.data[:3] = [1, _atom(display, "_NET_WM_STATE_MAXIMIZED_VERT"),
                      _atom(display, "_NET_WM_STATE_MAXIMIZED_HORZ")]
    X.XSendEvent(display, ctypes.c_ulong(X.XDefaultRootWindow(display)), 0,
                 ctypes.c_long(0x180000), ctypes.byref(event))
    X.XFlush(display)
    desktop.wait_until(lambda: find(desktop, title)[3] > 1800, f"{title} to be maximised")
    X.XCloseDisplay(display)
