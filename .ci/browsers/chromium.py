"""A separate headless Chromium."""

import json, os, re, subprocess, time, urllib.request

from .devtools import Page


class Chromium:
    def __init__(self, folder):
        profile = os.path.join(folder, "profile")
        self.log = open(os.path.join(folder, "chromium.log"), "wb")
        # The sandbox needs rights that a container lacks. The browser loads only the test's own pages.
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--disable-component-update", "--ignore-certificate-errors", "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"],
            stdout=self.log, stderr=self.log)
        self.port = self.debugging_port(os.path.join(profile, "DevToolsActivePort"))

    def debugging_port(self, path):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with open(path) as file:
                    if found := re.match(r"(\d+)\n", file.read()):
                        return int(found[1])
            except OSError:
                pass
            time.sleep(0.05)
        raise RuntimeError("Chromium did not start")

    def version(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/json/version", timeout=30) as answer:
            return json.load(answer)["Browser"]

    def open(self, url):
        """Returns a new page after loading a URL."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/json/new?about:blank", method="PUT")
        with urllib.request.urlopen(request, timeout=30) as answer:
            page = Page(json.load(answer)["webSocketDebuggerUrl"])
        failed = page.call("Page.navigate", url=url).get("errorText")
        if failed:
            raise RuntimeError(f"{url}: {failed}")
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if page.evaluate(f"document.readyState === 'complete' && location.href.startsWith({json.dumps(url)})"):
                return page
            time.sleep(0.05)
        raise RuntimeError(f"{url} does not load")

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
