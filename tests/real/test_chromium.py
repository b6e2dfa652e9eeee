#!/usr/bin/env python3
"""A real browser. Heavy (close to 1 GB), so only on demand: DEFT_TEST_CHROMIUM=1."""
import os
import shutil
import sys
import urllib.parse

import tap
from deft import Deft
from desktop import Desktop, Missing

if os.environ.get("DEFT_TEST_CHROMIUM") != "1" or not shutil.which("chromium"):
    print("1..0 # SKIP wants DEFT_TEST_CHROMIUM=1 and chromium")
    sys.exit(0)
try:
    DESKTOP = Desktop()
except Missing as e:
    print(f"1..0 # SKIP {e} is not installed")
    sys.exit(0)
DEFT = Deft(DESKTOP)
PAGE = "data:text/html," + urllib.parse.quote(
    "<title>Page</title><button onclick=\"this.textContent='Done'\">Go</button>"
    "<label>Name <input oninput=\"document.title=this.value\"></label>")


def words(profile):
    return ["--no-sandbox", "--no-first-run", "--disable-gpu",
            f"--user-data-dir={DESKTOP.dir / profile}", PAGE]


def nodes():
    return DEFT.ok("snapshot", "--raw").data["nodes"]


def test_accessibility_off():
    """started by somebody else it shows an empty window: a typed verdict with the way out"""
    DESKTOP.spawn(["chromium", *words("off")], env={"ACCESSIBILITY_ENABLED": "1"})
    DESKTOP.wait_until(lambda: "Chromium" in DEFT.run("apps").out, "chromium", 60)
    DEFT.ok("open", "chromium")
    shot = DEFT.ok("snapshot").data
    assert shot["snapshotQuality"]["reasonCode"] == "accessibility_off", shot["snapshotQuality"]
    assert any("--force-renderer-accessibility" in w for w in shot["warnings"]), shot["warnings"]
    DEFT.run("close", "--force")


def test_page():
    """started by deft its page is read, a button pressed and a field filled with proof"""
    DEFT.ok("open", "chromium", "--", *words("on"), timeout=90)
    DESKTOP.wait_until(lambda: any(n.get("label") == "Go" for n in nodes()), "the page", 60)
    DEFT.ok("press", 'role=button label="Go"')
    DESKTOP.wait_until(lambda: any(n.get("label") == "Done" for n in nodes()), "the click")
    filled = DEFT.ok("fill", 'label="Name" editable', "Zoë 日本").data
    assert filled["verified"] is True and filled["route"] == "keys", filled
    # The page copies what it got into its own title.
    DESKTOP.wait_until(lambda: any(n["role"] == "web-area" and n.get("label") == "Zoë 日本"
                                   for n in nodes()), "the page's own word")
    DEFT.run("close", "--force")


if __name__ == "__main__":
    try:
        tap.run(sys.modules[__name__])
    finally:
        DEFT.run("daemon", "stop", "--force")
        DESKTOP.close()
