"""A page that records forbidden events: console messages, violations of its policy, dialogs, and requests to other origins."""

import json, urllib.parse

from .profiles import Person

# The page's policy does not apply to the debugger's bindings and scripts. A dialog would block the page, so it is only reported.
SCRIPT = """
document.addEventListener('securitypolicyviolation', event => report(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
for (const name of ['alert', 'confirm', 'prompt', 'print']) window[name] = text => report(`dialog: ${name} ${text}`);
"""
# The messages that Chromium itself logs while a server is down.
NETWORK_ERROR = "Failed to load resource: net::ERR_"
PAGE_FILES = """(() => {
  const files = performance.getEntriesByType('resource').filter(one => new URL(one.name).pathname.startsWith('/pages/'));
  return [performance.getEntriesByType('navigation')[0], ...files].map(one => one.decodedBodySize);
})()"""
FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


class Observed(Person):
    def __init__(self, page, base):
        super().__init__(page)
        self.base, self.is_away = base, False
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        page.call("Emulation.setFocusEmulationEnabled", enabled=True)
        page.call("Runtime.addBinding", name="report")
        page.call("Page.addScriptToEvaluateOnNewDocument", source=SCRIPT)

    def until(self, condition, what, seconds=30):
        """Waits until a condition is true; an element counts as true, too."""
        return super().until(f"(value => value instanceof Node || value)({condition})", what, seconds)

    def check(self):
        """Fails if a forbidden event has happened since the last check."""
        self.page.evaluate("0")
        events, self.page.events = self.page.events, []
        faults = [fault for event in events if (fault := self.fault(event["method"], event["params"]))]
        if faults:
            raise AssertionError(f"{self.page.evaluate('location.href')}: " + "; ".join(faults[:5]))

    def fault(self, method, values):
        match method:
            case "Runtime.bindingCalled":
                return values["payload"]
            case "Runtime.consoleAPICalled" | "Runtime.exceptionThrown":
                return f"console: {json.dumps(values)[:500]}"
            case "Log.entryAdded":
                entry = values["entry"]
                is_expected = self.is_away and entry["source"] == "network" and entry["text"].startswith(NETWORK_ERROR)
                return None if is_expected else f"console: {entry['text']} {entry.get('url', '')}"
            case "Network.requestWillBeSent":
                url = urllib.parse.urlsplit(values["request"]["url"])
                is_own = url.scheme in ("data", "blob", "about") or f"{url.scheme}://{url.netloc}" == self.base
                return None if is_own else f"request to another origin: {values['request']['url']}"

    def types(self, selector, text):
        """Types into a field that a script listens to."""
        field = f"document.querySelector({json.dumps(selector)})"
        self.until(field, f"there is {selector}")
        self.page.evaluate(f"(field => {{ field.value = {json.dumps(text)}; field.dispatchEvent(new Event('input', {{bubbles: true}})); }})({field})")

    def clicks(self, selector, text=None):
        """Clicks an element, optionally the one with this text, as soon as it exists and is enabled."""
        is_meant = f"!one.disabled && (one.textContent === {json.dumps(text)} || {json.dumps(text is None)})"
        found = f"[...document.querySelectorAll({json.dumps(selector)})].find(one => {is_meant})"
        self.until(f"(one => one && (one.click(), true))({found})", f"there is {text or selector}")

    def shows(self, text, within="body"):
        self.until(f"document.querySelector({json.dumps(within)})?.textContent.includes({json.dumps(text)})", f"{within} shows {text!r}")

    def measures(self, path, ready):
        """Returns the bytes of a page's own files and the milliseconds to its first paint, after a reload."""
        self.page.call("Network.setCacheDisabled", cacheDisabled=True)
        self.go(self.base + path)
        self.until(f"location.pathname === {json.dumps(path)} && document.readyState === 'complete' && {ready}", f"{path} is there")
        paint = self.until(FIRST_PAINT, f"{path} is painted")
        return sum(self.page.evaluate(PAGE_FILES)), paint
