"""A real browser without a window, spoken to through a pipe by its own protocol: no driver, no port, no library."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

PROGRAM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)

_START = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4); os.execv(sys.argv[3], sys.argv[3:])"
)

_KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}

_CONTRAST = """selector => {
    const parse = words => words.match(/[\\d.]+/g).map(Number);
    const light = words => parse(words).slice(0, 3).map(v => v / 255)
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
    let node = document.querySelector(selector), behind = node;
    const ink = getComputedStyle(node).color;
    while ((parse(getComputedStyle(behind).backgroundColor)[3] ?? 1) === 0) behind = behind.parentElement;
    const pair = [light(ink), light(getComputedStyle(behind).backgroundColor)].sort((a, b) => b - a);
    return (pair[0] + 0.05) / (pair[1] + 0.05);
}"""


class Browser:
    """One page at a time."""

    def __init__(self, folder: Path) -> None:
        theirs_in, self._to = os.pipe()
        self._from, theirs_out = os.pipe()
        given = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (theirs_in, theirs_out)]  # clear of 3 and 4
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader",
                   "--disable-dev-shm-usage", "--no-first-run",
                   "--disable-background-networking", f"--user-data-dir={folder}", "--remote-debugging-pipe",
                   "about:blank"]  # fmt: skip
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, *map(str, given), str(PROGRAM), *options],
            pass_fds=given,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in (theirs_in, theirs_out, *given):
            os.close(end)
        self._number, self._rest, self._session = 0, b"", None
        self.events: list[dict[str, Any]] = []
        pages = [one for one in self._ask("Target.getTargets")["targetInfos"] if one["type"] == "page"]
        attached = self._ask("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self._ask(f"{domain}.enable")

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._ask("Page.disable")
            os.write(self._to, json.dumps({"id": 0, "method": "Browser.close"}).encode() + b"\0")
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._to)
        os.close(self._from)

    def open(self, path: Path, *, width: int = 1200, height: int = 844, dark: bool = False, place: str = "") -> None:
        """Show a file, at a ``#place`` of it, and wait until it has loaded."""
        self._ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._ask("Emulation.setEmulatedMedia", features=[scheme])
        self.events.clear()
        self._ask("Page.navigate", url="about:blank")  # another place of the same page would not load it again
        self._loaded()
        self.events.clear()
        self._ask("Page.navigate", url=path.as_uri() + place)
        self._loaded()

    def _loaded(self) -> None:
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self._receive()

    def before_pages(self, script: str) -> str:
        """Run a script before those of every page that is opened from now on; its name is for `no_longer`."""
        return self._ask("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]

    def no_longer(self, name: str) -> None:
        """Take back such a script."""
        self._ask("Page.removeScriptToEvaluateOnNewDocument", identifier=name)

    def mouse(
        self, kind: str, x: float, y: float, *, shift: bool = False, held: bool = False, wheel: float = 0
    ) -> None:
        """``"Moved"``, ``"Pressed"``, ``"Released"`` or ``"Wheel"`` at a place of the window."""
        button = "left" if held or kind in ("Pressed", "Released") else "none"
        extra = {"deltaX": 0, "deltaY": wheel} if kind == "Wheel" else {}
        place = {"x": x, "y": y, "button": button, "buttons": int(held), "modifiers": 8 * shift, "clickCount": 1}
        self._ask("Input.dispatchMouseEvent", type=f"mouse{kind}", **place, **extra)

    def click(self, x: float, y: float, *, shift: bool = False) -> None:
        """Go there and click."""
        for kind in ("Moved", "Pressed", "Released"):
            self.mouse(kind, x, y, shift=shift)

    def drag(self, places: list[tuple[float, float]], *, shift: bool = False) -> None:
        """Along these places with the button held."""
        self.mouse("Moved", *places[0])
        self.mouse("Pressed", *places[0], shift=shift)
        for place in places[1:]:
            self.mouse("Moved", *place, held=True, shift=shift)
        self.mouse("Released", *places[-1], shift=shift)

    def touch(self, kind: str, places: list[tuple[float, float]]) -> None:
        """``"Start"``, ``"Move"`` or ``"End"``, with these fingers down."""
        fingers = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(places)]
        self._ask("Input.dispatchTouchEvent", type=f"touch{kind}", touchPoints=fingers)

    def press(self, *keys: str, shift: bool = False) -> None:
        """Keys one after the other, by their names; a single letter or sign is typed."""
        for key in keys:
            text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
            code = {
                "Enter": 13,
                "Escape": 27,
                "Tab": 9,
                "ArrowUp": 38,
                "ArrowDown": 40,
                "ArrowLeft": 37,
                "ArrowRight": 39,
            }
            about = {"key": key, "windowsVirtualKeyCode": code.get(key, ord(key.upper()) if len(key) == 1 else 0)}
            self._ask("Input.dispatchKeyEvent", type="keyDown", text=text, modifiers=8 * shift, **about)
            self._ask("Input.dispatchKeyEvent", type="keyUp", modifiers=8 * shift, **about)

    def value(self, expression: str) -> Any:
        """What JavaScript says about the page."""
        found = self._ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def contrast(self, selector: str) -> float:
        """As the accessibility guidelines measure it, of text on what lies behind it."""
        return self.value(f"({_CONTRAST})({selector!r})")

    def requested(self) -> list[str]:
        """Every address that the page asked for."""
        return [e["params"]["request"]["url"] for e in self.events if e["method"] == "Network.requestWillBeSent"]

    def complaints(self) -> list[str]:
        """What the browser found wrong with the page; not what an imitated graphics card says of its own speed."""
        kinds = ("Log.entryAdded", "Runtime.exceptionThrown", "Page.javascriptDialogOpening")
        found = [json.dumps(event["params"]) for event in self.events if event["method"] in kinds]
        return [one for one in found if "GL Driver Message (OpenGL, Performance" not in one]

    def picture(self, path: Path, *, height: int | None = None) -> None:
        """The whole page, or its top."""
        size = self._ask("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": height or size["height"], "scale": 1}
        taken = self._ask("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(taken["data"]))

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = os.read(self._from, 1 << 20)
            if not more:
                raise OSError("the browser has gone")
            self._rest += more
        text, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(text)
        if "method" in message:
            self.events.append(message)
        return message
