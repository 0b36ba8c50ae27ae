"""The chapters about sign-in: an invitation link, a password or an identity provider, the browser's session, and sign-out."""

import json, os, subprocess, time, urllib.parse, urllib.request

from streams.client import Client
from streams.server import Server

from .chromium import Chromium
from .profiles import Profiles

PASSWORD = "correct horse battery staple"


class Provider:
    """An oidc-provider-mock, which signs in any given subject."""

    def __init__(self, program, folder):
        self.port = Server.free_port()
        self.log = open(os.path.join(folder, "provider.log"), "wb")
        self.process = subprocess.Popen(
            [program, "--port", str(self.port), "--require-nonce", "true"], stdout=self.log, stderr=self.log, env={**os.environ, "PYTHONWARNINGS": "ignore"})
        # A site other than the service's: requests that it causes carry no Strict cookies.
        self.issuer = f"http://localhost:{self.port}"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                urllib.request.urlopen(f"{self.issuer}/.well-known/openid-configuration", timeout=5).close()
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the provider did not start")

    def close(self):
        self.process.terminate()
        self.process.wait(20)
        self.log.close()


class Coming:
    def __init__(self, binary, folder, program, say, pictures=None):
        self.say, self.pictures, self.closing = say, pictures, []
        self.provider = Provider(program, folder)
        self.closing.append(self.provider.close)
        self.server = Server(binary, folder, 100_000)
        self.base = f"http://127.0.0.1:{self.server.port}"
        secret = os.path.join(folder, "client-secret")
        with open(secret, "w") as file:
            file.write("any, to this provider\n")
        self.server.arguments += ["--public-url", self.base, "--oidc-issuer", self.provider.issuer, "--oidc-client-secret-file", secret, "--oidc-allow-http", "true"]
        self.server.start()
        self.closing.append(self.server.close)
        self.token, self.client = self.server.token("people"), Client(self.server.port)
        browser = Chromium(folder)
        self.closing.append(browser.close)
        self.say(browser.version())
        self.profiles = Profiles(browser)

    def close(self):
        for end in reversed(self.closing):
            end()

    def invitation(self):
        answer = self.client.send(self.token, "POST", "/v1/links", {"kind": "invitation"})
        if not answer.ok or not answer.json["url"].startswith(f"{self.base}/sign-in#"):
            raise AssertionError(f"no link: {answer.status} {answer.json}")
        return answer.json["url"]

    def picture(self, person, name):
        if self.pictures:
            person.picture(os.path.join(self.pictures, name + ".png"))

    def signed_in(self, person, name):
        """Checks that sign-in leads to the reader's page. The sign-in page shows the reader, through an EventSource with only the cookie."""
        person.until("location.pathname === '/'", f"{name} goes on to the reader's page")
        self.at_home(person, name)

    def at_home(self, person, name):
        """Checks that the sign-in page shows the signed-in reader, and updates a changed name."""
        person.go(self.base + "/sign-in")
        person.sees("being-here")
        person.until(f"document.querySelector('#who').textContent === '{name}' && document.documentElement.dataset.watched === 'snapshot'", f"{name} is there")
        if person.page.evaluate("document.cookie"):
            raise AssertionError("a script sees a cookie")
        me = person.ask("PATCH", "/v1/me", {"name": name + " L."})
        if me["status"] != 200:
            raise AssertionError(f"a page of the service's own may not write: {me}")
        person.until(f"document.querySelector('#who').textContent === '{name} L.'", "the stream says the other name")
        person.ask("PATCH", "/v1/me", {"name": name})
        person.until(f"document.querySelector('#who').textContent === '{name}'", "the stream says the name again")

    def signed_out(self, person):
        person.page.evaluate("sessionStorage.setItem('draft of somebody', 'half-written')")
        person.press("#out")
        person.sees("signing-in")
        if person.ask("GET", "/v1/me")["status"] != 401:
            raise AssertionError("who signed out is still there")
        if person.page.evaluate("Object.keys(sessionStorage).some(key => key.startsWith('draft '))"):
            raise AssertionError("a draft is left for the next person")
        person.until("document.documentElement.dataset.watched === 'closed'", "the stream has ended")

    def by_password(self):
        link, ada = self.invitation(), self.profiles.new()
        ada.go(link)
        ada.sees("joining")
        self.picture(ada, "joining")
        other = self.profiles.new()
        other.go(link)
        other.sees("joining")
        ada.fill("#join", readerName="Ada", name="ada", password=PASSWORD)
        self.signed_in(ada, "Ada")
        if ada.page.evaluate("location.hash"):
            raise AssertionError("the secret stays in the address")
        self.picture(ada, "being-here")
        self.signed_out(ada)
        self.picture(ada, "signing-in")
        ada.fill("#sign-in", name="ada", password="wrong")
        ada.until("document.querySelector('#sign-in > [role=alert]:not([hidden])')?.textContent", "a wrong password is refused")
        self.picture(ada, "refused")
        ada.fill("#sign-in", name="ADA", password=PASSWORD)
        self.signed_in(ada, "Ada")
        self.returns(ada)
        other.fill("#join", readerName="Eve", name="eve", password=PASSWORD)
        other.until("document.querySelector('#join > [role=alert]:not([hidden])')?.textContent.includes('not valid')", "a link is used once")
        other.go("about:blank")
        other.go(link)
        other.sees("signing-in")
        other.until("document.querySelector('#say').textContent.includes('not valid')", "a used link has no form")
        # The administrator ends the session elsewhere: the page notices.
        for token in self.client.send(self.token, "GET", "/v1/tokens").json["items"]:
            if token["name"].startswith("Chrome"):
                self.client.send(self.token, "DELETE", f"/v1/tokens/{token['id']}")
        ada.sees("signing-in")
        self.say("by password: in by a link, out, in again, and ended from elsewhere")

    def returns(self, person):
        """Checks that sign-in leads to the requested page, if it is one of the service's own."""
        for wanted, address in {
            "/clubs/1?a=b": "/clubs/1?a=b", "//evil.example/": "/", "/\\evil.example": "/", "/\t/evil.example": "/", "/.//evil.example": "/",
            "https://evil.example/": "/", "javascript:alert(1)": "/", "/sign-in": "/",
        }.items():
            person.ask("DELETE", "/v1/sessions")
            person.go(f"{self.base}/sign-in?next={urllib.parse.quote(wanted, safe='')}")
            person.sees("signing-in")
            person.fill("#sign-in", name="ada", password=PASSWORD)
            person.until(f"location.href === {json.dumps(self.base + address)}", f"next={wanted!r} leads to {address}")
        self.at_home(person, "Ada")

    def authorize(self, person, subject):
        person.press("section:not([hidden]) .provider")
        person.until("document.querySelector('input[name=sub]') && location.port == '%d'" % self.provider.port, "the provider asks")
        person.page.evaluate(f"(document.querySelector('input[name=sub]').value = '{subject}', document.querySelector('button').click())")

    def by_identity(self):
        stranger = self.profiles.new()
        stranger.go(self.base + "/sign-in")
        stranger.sees("signing-in")
        self.authorize(stranger, "ben")
        stranger.until("document.body.innerText.includes('No account here has this identity')", "who is not invited stays out")
        self.picture(stranger, "stranger")
        ben = self.profiles.new()
        ben.go(self.invitation())
        ben.sees("joining")
        self.authorize(ben, "ben")
        self.signed_in(ben, "Reader")
        self.picture(ben, "by-identity")
        self.signed_out(ben)
        self.authorize(ben, "ben")
        self.signed_in(ben, "Reader")
        ben.press("#connecting button")
        ben.until("document.querySelector('input[name=sub]') && location.port == '%d'" % self.provider.port, "the provider asks")
        ben.page.evaluate("(document.querySelector('input[name=sub]').value = 'benjamin', document.querySelector('button').click())")
        ben.sees("being-here")
        ben.until("document.querySelectorAll('#identities li').length === 2", "the other identity is connected")
        ben.press("#identities li button")
        ben.until("document.querySelectorAll('#identities li').length === 1", "the first one is disconnected")
        self.signed_out(ben)
        self.authorize(ben, "benjamin")
        self.signed_in(ben, "Reader")
        self.say("by identity: in by a link, out, in again, by another one that was connected; a stranger not")
