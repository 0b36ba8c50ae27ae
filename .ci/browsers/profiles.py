"""Profiles of a Chromium, each with its own cookies, and a person's actions on a page."""

import base64, json, time, urllib.request

from .devtools import Page


class Profiles:
    def __init__(self, chromium):
        self.port = chromium.port
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/json/version", timeout=30) as answer:
            self.browser = Page(json.load(answer)["webSocketDebuggerUrl"])

    def new(self):
        """Returns a page of a new profile."""
        return Person(self.window(self.context()))

    def context(self):
        return self.browser.call("Target.createBrowserContext")["browserContextId"]

    def window(self, context):
        """Returns a page of a profile, in a separate window."""
        target = self.browser.call("Target.createTarget", url="about:blank", browserContextId=context, newWindow=True)["targetId"]
        page = Page(f"ws://127.0.0.1:{self.port}/devtools/page/{target}")
        # The provider's page loads files from other servers, which are missing here: do not wait for them.
        page.call("Network.enable")
        page.call("Network.setBlockedURLs", urls=["*://cdn.jsdelivr.net/*"])
        return page


class Person:
    def __init__(self, page):
        self.page = page

    def go(self, url):
        failed = self.page.call("Page.navigate", url=url).get("errorText")
        if failed:
            raise RuntimeError(f"{url}: {failed}")

    def until(self, condition, what, seconds=30):
        """Waits until an expression is true; errors while the page navigates are retried."""
        deadline, last = time.monotonic() + seconds, None
        while time.monotonic() < deadline:
            try:
                last = self.page.evaluate(condition)
                if last:
                    return last
            except RuntimeError as error:
                if "closed the page" in str(error) or "is gone" in str(error):
                    raise
                last = error
            time.sleep(0.05)
        said = self.page.evaluate("location.href + ': ' + document.body.innerText")
        raise AssertionError(f"{what}: not within {seconds} s: {last}; {said[:600]}")

    def sees(self, section):
        self.until(f"document.getElementById({json.dumps(section)})?.hidden === false", f"the page shows {section}")

    def fill(self, form, **texts):
        """Fills in a form and submits it."""
        for name, text in texts.items():
            self.page.evaluate(f"document.querySelector({json.dumps(f'{form} [name={name}]')}).value = {json.dumps(text)}")
        self.press(f"{form} button")

    def press(self, selector):
        self.page.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def keys(self, *names):
        """Presses keys, one after the other, on the focused element."""
        codes = {"ArrowRight": 39, "Enter": 13, "Home": 36}
        for name in names:
            for kind in ("keyDown", "keyUp"):
                text = {"text": "\r"} if name == "Enter" and kind == "keyDown" else {}
                self.page.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=codes[name], **text)

    def ask(self, method, path, body=None):
        """Returns the response that a script of the page gets."""
        return self.page.evaluate(f"""(async () => {{
            const answer = await fetch({json.dumps(path)}, {{method: {json.dumps(method)}, headers: {{'Content-Type': 'application/json'}},
                                       body: {json.dumps(json.dumps(body) if body is not None else None)}}});
            const text = await answer.text();
            return {{status: answer.status, json: text.startsWith('{{') ? JSON.parse(text) : text}};
        }})()""")

    def picture(self, path):
        self.page.call("Emulation.setDeviceMetricsOverride", width=760, height=900, deviceScaleFactor=1, mobile=False)
        data = self.page.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
