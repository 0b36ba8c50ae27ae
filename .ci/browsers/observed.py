"""A page that records what it must not do: console messages, violations of its policy, dialogs, and requests to other origins."""

import json, urllib.parse

from .profiles import Person

# Bindings and scripts of the debugger are outside the page's policy. A dialog would stop the page, so it is only reported.
SCRIPT = """
document.addEventListener('securitypolicyviolation', event => report(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
for (const name of ['alert', 'confirm', 'prompt', 'print']) window[name] = text => report(`dialog: ${name} ${text}`);
"""
# What Chromium logs by itself where a server is away.
NETWORK_ERROR = "Failed to load resource: net::ERR_"
PAGE_FILES = """(() => {
  const files = performance.getEntriesByType('resource').filter(one => new URL(one.name).pathname.startsWith('/pages/'));
  return [performance.getEntriesByType('navigation')[0], ...files].map(one => one.decodedBodySize);
})()"""
FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


class Observed(Person):
    def __init__(self, page, base):
        super().__init__(page)
        self.base, self.is_away, self.faults = base, False, []
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        page.call("Emulation.setFocusEmulationEnabled", enabled=True)
        page.call("Runtime.addBinding", name="report")
        page.call("Page.addScriptToEvaluateOnNewDocument", source=SCRIPT)

    def until(self, condition, what, seconds=30):
        """An element counts as true, too."""
        return super().until(f"(value => value instanceof Node || value)({condition})", what, seconds)

    def check(self):
        """Fails if the page has done since the last check what it must not do."""
        self.page.evaluate("0")
        events, self.page.events = self.page.events, []
        for event in events:
            if fault := self.fault(event["method"], event["params"]):
                self.faults.append(fault)
        if self.faults:
            raise AssertionError(f"{self.page.evaluate('location.href')}: " + "; ".join(self.faults[:5]))

    def fault(self, method, values):
        if method == "Runtime.bindingCalled":
            return values["payload"]
        if method == "Runtime.consoleAPICalled":
            return f"console: {json.dumps(values['args'])[:300]}"
        if method == "Runtime.exceptionThrown":
            return f"exception: {json.dumps(values['exceptionDetails'])[:500]}"
        if method == "Log.entryAdded":
            entry = values["entry"]
            is_expected = self.is_away and entry["source"] == "network" and entry["text"].startswith(NETWORK_ERROR)
            return None if is_expected else f"console: {entry['text']} {entry.get('url', '')}"
        if method == "Network.requestWillBeSent":
            url = urllib.parse.urlsplit(values["request"]["url"])
            is_own = url.scheme in ("data", "blob", "about") or f"{url.scheme}://{url.netloc}" == self.base
            return None if is_own else f"request to another origin: {values['request']['url']}"
        return None

    def types(self, selector, text):
        """Types into a field that a script listens to."""
        self.until(f"document.querySelector({json.dumps(selector)})", f"there is {selector}")
        self.page.evaluate(f"""(field => {{
            field.value = {json.dumps(text)};
            for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, {{bubbles: true}}));
        }})(document.querySelector({json.dumps(selector)}))""")

    def clicks(self, selector, text=None):
        """Clicks on the element, or on the one with that text, as soon as it is there and enabled."""
        found = f"[...document.querySelectorAll({json.dumps(selector)})].find(one => !one.disabled && {json.dumps(text)} in {{null: 1, [one.textContent]: 1}})"
        self.until(f"((one) => one && (one.click(), true))({found})", f"there is {text or selector}")

    def shows(self, text, within="body"):
        self.until(f"document.querySelector({json.dumps(within)})?.textContent.includes({json.dumps(text)})", f"{within} shows {text!r}")

    def keep(self):
        """Marks the document, to notice a reload."""
        self.page.evaluate("window.isKept = true")

    def was_kept(self):
        if not self.page.evaluate("window.isKept === true"):
            raise AssertionError(f"{self.page.evaluate('location.href')} was loaded again")

    def measures(self, path, ready):
        """The bytes of a page's own files and the milliseconds to its first paint, loaded anew."""
        self.page.call("Network.setCacheDisabled", cacheDisabled=True)
        self.go(self.base + path)
        self.until(f"location.pathname === {json.dumps(path)} && document.readyState === 'complete' && {ready}", f"{path} is there")
        paint = self.until(FIRST_PAINT, f"{path} is painted")
        return sum(self.page.evaluate(PAGE_FILES)), paint
