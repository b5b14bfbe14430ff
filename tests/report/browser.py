"""A headless chromium, driven through its debugging pipe: no driver and no other library between."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


class Browser:
    """One page at a time; `problems` gathers what its console complained of, `requests` what it fetched."""

    def __init__(self, profile: Path) -> None:
        self.problems: list[str] = []
        self.requests: list[str] = []
        self._last = 0
        down, self._send = os.pipe()
        receive, up = os.pipe()
        # The browser reads its orders from descriptor 3 and answers on 4.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (down, up)]
        quiet = [(os.POSIX_SPAWN_OPEN, n, os.devnull, os.O_WRONLY, 0) for n in (1, 2)]
        pipes = [(os.POSIX_SPAWN_DUP2, end, n) for n, end in zip((3, 4), ends, strict=True)]
        call = [str(BROWSER), *_FLAGS, f"--user-data-dir={profile}", "about:blank"]
        self._process = os.posix_spawn(call[0], call, os.environ, file_actions=[*quiet, *pipes])
        for end in (down, up, *ends):
            os.close(end)
        self._answers = os.fdopen(receive, "rb")
        self._pending = b""
        self._session = ""
        target = self.order("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.order("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.order(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._send)
        os.kill(self._process, signal.SIGTERM)
        os.waitpid(self._process, 0)
        self._answers.close()

    def order(self, method: str, **params: Any) -> dict[str, Any]:
        """Give an order and wait for its answer; what happens meanwhile is noted."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._send, json.dumps(message).encode() + b"\0")
        for found in self._messages():
            if found.get("id") == self._last:
                if "error" in found:
                    raise RuntimeError(f"{method}: {found['error']}")
                return dict(found["result"])
        raise RuntimeError("the browser went away")

    def open(self, path: Path, width: int, height: int = 900, scheme: str = "light") -> None:
        """Show a file in a window of a width, and wait until it is there."""
        self.problems.clear()
        self.requests.clear()
        self.order("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.order("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.order("Page.navigate", url=path.resolve().as_uri())
        for found in self._messages():
            if found.get("method") == "Page.loadEventFired":
                return

    def value(self, script: str) -> Any:
        """Return what a script evaluates to."""
        answer = self.order("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def click(self, selector: str) -> None:
        """Press the mouse in the middle of an element, after it was scrolled to."""
        place = (
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center', "
            "inline: 'center', behavior: 'instant'}); const r = e.getBoundingClientRect(); "
            "return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        x, y = self.value(place)
        for kind in ("mousePressed", "mouseReleased"):
            self.order("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key: str) -> None:
        """Press a key: ``ArrowDown``, ``Enter``, ``Escape``."""
        codes = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowRight": 39, "ArrowLeft": 37, "ArrowUp": 38}
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.order("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=codes[key], **text)

    def _messages(self) -> Iterator[dict[str, Any]]:
        while True:
            while b"\0" not in self._pending:
                found = os.read(self._answers.fileno(), 1 << 20)
                if not found:
                    return
                self._pending += found
            line, _, self._pending = self._pending.partition(b"\0")
            message = json.loads(line)
            self._note(message)
            yield message

    def _note(self, message: dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.problems.append(str(params["exceptionDetails"]))
        elif method == "Log.entryAdded":
            self.problems.append(params["entry"]["text"])
        elif method == "Runtime.consoleAPICalled":
            self.problems.append(str(params["args"]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """Start a browser with an empty profile, and end it."""
    with Browser(profile) as started:
        yield started
