"""Two readers of a club and an administrator on the server's pages, each in a separate profile."""

import json

from streams.client import Client
from streams.server import Server

from .chromium import Chromium
from .observed import Observed
from .profiles import Profiles

PASSWORD = "correct horse battery staple"
# A reader's text that would have an effect if a page did not treat it as text.
HOSTILE = "<script>window.x=1</script><img src=/x onerror=window.x=1>"
TITLE = f"Time {HOSTILE}"
EVE = f"Eve {HOSTILE}"
# The content of windows, in the form of the server's lists.
NOTES = "[...document.querySelectorAll('.notes > li[id]')].map(row => [row.id, row.querySelector('.prose').textContent])"
CARDS = "[...document.querySelectorAll('.card')].map(card => ['h3', '.ring-number'].map(name => card.querySelector(name).textContent))"


def encoded(value):
    """Returns JSON as a browser writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Pages:
    def __init__(self, binary, folder, say, away):
        self.folder, self.say, self.away, self.closing, self.people = folder, say, away, [], []
        self.server = Server(binary, folder, 100_000)
        self.base = f"http://127.0.0.1:{self.server.port}"
        self.server.arguments += ["--public-url", self.base]

    def open(self):
        self.closing.append(self.server.close)
        self.start()
        self.token = self.server.token("administrator")
        self.browser = Chromium(self.folder)
        self.closing.append(self.browser.close)
        self.profiles = Profiles(self.browser)
        self.say(self.browser.version())
        self.furnish()

    def start(self):
        self.server.start()
        self.client = Client(self.server.port)

    def send(self, method, path, body=None, token=None):
        answer = self.client.send(token or self.token, method, path, body)
        if not answer.ok:
            raise RuntimeError(f"{method} {path}: {answer.status} {answer.json}")
        return answer.json

    def furnish(self):
        self.book = self.send("POST", "/v1/books", {"title": TITLE, "authors": ["H. G. Wells"], "pageCount": 200})["id"]
        self.club = self.send("POST", "/v1/clubs", {"name": "Evening readers", "countsAhead": True})["id"]
        self.run = self.send("POST", f"/v1/clubs/{self.club}/runs", {"book": self.book, "state": "current"})["id"]

    def note(self, page, body, token=None):
        """Creates a note for the club at a page of the book."""
        draft = {"book": self.book, "club": self.club, "run": self.run, "position": {"page": page}, "body": body}
        return self.send("POST", "/v1/notes", draft, token)["id"]

    def window(self, context):
        person = Observed(self.profiles.window(context), self.base)
        self.closing.append(person.page.close)
        self.people.append(person)
        return person

    def invited(self, name, sign_in_name, club=None):
        """Registers a person by an invitation link, and returns their window, profile, id and token."""
        link = self.send("POST", "/v1/links", {"kind": "invitation", **({"club": club} if club else {})})["url"]
        context = self.profiles.context()
        person = self.window(context)
        person.go(link)
        person.until("document.querySelector('#join')", "the link leads to the join page")
        if club:
            person.shows("Join Evening readers", "h1")
        person.fill("#join", readerName=name, name=sign_in_name, password=PASSWORD)
        to = f"/clubs/{club}" if club else "/"
        person.until(f"location.pathname === {json.dumps(to)}", f"{sign_in_name} lands on {to}")
        reader = person.ask("GET", "/v1/me")["json"]["id"]
        return person, context, reader, self.server.token("test", reader)

    def check(self, what):
        """Fails if any page had a forbidden event."""
        for person in self.people:
            person.check()
        self.say(what)

    def agree(self, what, seconds=60):
        """Waits until each open window shows the server's lists for its reader."""
        for person, script, listed in ((self.ada, NOTES, self.notes(self.ada_token)), (self.eve, NOTES, self.notes(self.eve_token)),
                                       (self.home, CARDS, self.cards(self.ada_token))):
            rows = encoded(sorted(encoded(row) for row in listed))
            person.until(f"JSON.stringify({script}.map(row => JSON.stringify(row)).sort()) === {json.dumps(rows)}", f"{what}: the page shows {rows}", seconds)
            if not person.page.evaluate("window.isKept === true"):
                raise AssertionError(f"{what}: {person.page.evaluate('location.href')} was loaded again")

    def notes(self, token):
        notes = self.send("GET", f"/v1/clubs/{self.club}/notes?run={self.run}&thread=roots", token=token)["items"]
        return [[f"note-{note['id']}", note["body"]] for note in notes]

    def cards(self, token):
        return [[card["title"], f"{round(card['progress'] * 100)}%"] for card in self.send("GET", "/v1/cards", token=token)["items"]]

    def close(self):
        for close in reversed(self.closing):
            try:
                close()
            except Exception as error:
                self.say(f"  at the end: {error}")
