"""The chapters of the pages' test, in order."""

import json, signal, time, urllib.error, urllib.request

from .pages import EVE, HOSTILE, TITLE

# The maximum size of every page in bytes, and an expression that is true once the page shows its content.
HEADING = "document.querySelector('h1')"
BUDGETS = {"/sign-in": (60_000, HEADING), "/": (120_000, HEADING), "/docs": (60_000, "document.querySelector('[data-operation]')"),
           "/inspect": (60_000, "document.querySelector('.state.live')"), "/admin": (60_000, HEADING)}
METHODS = {"get", "put", "post", "patch", "delete", "head", "options", "trace"}
IMAGE = b'<svg xmlns="http://www.w3.org/2000/svg" onload="window.x=1"><script>window.x=1</script></svg>'


def joined(story):
    """Two readers join by links, and read along."""
    story.ada, story.adas, _, story.ada_token = story.invited("Ada", "ada", story.club)
    story.eve, _, _, story.eve_token = story.invited(EVE, "eve", story.club)
    for person in (story.ada, story.eve):
        person.clicks("button", "Read along")
        person.until("document.querySelector('.here')", "the club's page says where one is")
    story.home = story.window(story.adas)
    story.home.go(story.base + "/")
    story.home.until("document.querySelector('.card')", "the book is on the reader's page")
    story.windows = (story.ada, story.eve, story.home)
    for person in story.windows:
        person.page.evaluate("window.isKept = true")
    story.check("two readers joined by links and read along")


def unlocked(story):
    """Locked notes are counted, and one of them is unlocked when the reader records progress."""
    near, far = story.note(100, f"Near {HOSTILE}", story.eve_token), story.note(150, "The very end of the tale", story.eve_token)
    story.ada.shows("2 notes wait", ".ahead")
    lacks((story.ada, story.home), near, far, "Near", "The very end")
    story.home.clicks(".record")
    story.home.types("#amount", "120")
    story.home.types("#note", "Here the machine is gone")
    saved(story, 120)
    story.ada.until(f"document.getElementById('note-{near}')?.querySelector('.prose')", "the note that is reached opens by itself")
    story.ada.shows("1 note waits", ".ahead")
    story.agree("after a note opened")
    lacks((story.ada, story.home), far, "The very end")
    story.check("a note opened where it was reached, without a reload; the other is nowhere")


def lacks(people, *texts):
    """Fails if a page contains any of these texts of locked notes, even invisibly."""
    for person in people:
        if found := [text for text in texts if person.page.evaluate(f"document.documentElement.outerHTML.includes({json.dumps(text)})")]:
            raise AssertionError(f"a note that is not reached is on the page: {found}")


def saved(story, page):
    """Saves the entry in the editor of the reader's page."""
    story.home.clicks("#editor button.primary")
    story.home.until("!document.querySelector('#editor')", "the editor closes")
    story.home.shows(f"Page {page} of", ".card")


def rated(story):
    """A reader rates a reading with the keyboard, and the club's page follows."""
    reading = story.send("GET", "/v1/cards", token=story.ada_token)["items"][0]["id"]
    person = story.window(story.adas)
    person.go(f"{story.base}/readings/{reading}")
    person.shows("Not rated", "main")
    person.page.evaluate("document.querySelector('#rating').focus()")
    person.keys(*["ArrowRight"] * 9)
    person.shows("4.5 of 5 stars", "main")
    story.ada.shows("4.5 of 5 stars, from 1 member", ".now")
    person.keys("Home")
    person.shows("Not rated", "main")
    story.ada.until("!document.querySelector('.now .stars')", "the club's page has no average")
    story.check("a reading was rated, and is not rated any more")
    story.people.remove(person)
    person.page.call("Page.close")


def recovered(story):
    """The server is killed and restarted after a while, and the pages continue with its state."""
    for person in story.windows:
        person.is_away = True
    story.server.end(signal.SIGKILL)
    back = (time.time() + story.away) * 1000
    for person in story.windows:
        person.until("document.querySelector('#offline')?.textContent.trim()", "the page says that the server is away")
    story.home.clicks(".record")
    story.home.types("#amount", "130")
    story.home.clicks("#editor button.primary")
    story.home.shows("does not answer", "#editor .problem")
    # A part of a page whose file is not loaded yet, and back.
    story.eve.clicks("nav a", "Plan")
    story.eve.until("location.search === '?view=plan'", "the address changes without a server")
    story.eve.page.evaluate("history.back()")
    story.home.until(f"Date.now() >= {back}", "the time without a server passes", story.away + 60)
    story.start()
    begin = time.monotonic()
    story.note(50, "Written while nobody looked")
    reading = story.send("GET", "/v1/cards", token=story.ada_token)["items"][0]["id"]
    story.send("POST", f"/v1/readings/{reading}/entries", {"page": 124}, story.ada_token)
    for person in story.windows:
        person.until("!document.querySelector('#offline')?.textContent.trim()", "the page goes on", 60)
    story.agree("after the server came back")
    took = time.monotonic() - begin
    for person in story.windows:
        person.check()
        person.is_away = False
    # The text that was typed meanwhile is still there, and can be sent now.
    saved(story, 130)
    story.agree("after the draft was saved")
    story.check(f"after {story.away:g} s without a server the pages have its state, {took:.1f} s after it was there")


def harmless(story):
    """Readers' text is shown as text, and a cover as an image."""
    for text, within in ((TITLE, "#now"), (EVE, ".standings"), (f"Near {HOSTILE}", ".notes")):
        story.ada.shows(text, within)
    story.ada.until("document.querySelector('.cover img')?.naturalWidth > 0", "the cover is an image")
    story.home.shows(TITLE, ".card")
    request = urllib.request.Request(f"{story.base}/v1/books/{story.book}/cover", IMAGE, {"Authorization": f"Bearer {story.token}", "Content-Type": "image/png"}, method="PUT")
    try:
        urllib.request.urlopen(request, timeout=30)
        raise AssertionError("an image with a script is taken")
    except urllib.error.HTTPError as error:
        error.close()
    story.ada.clicks("nav a", "Members")
    story.ada.shows(EVE, "main")
    story.eve.go(f"{story.base}/v1/books/{story.book}/cover")
    story.eve.until("document.documentElement.localName === 'svg' && document.readyState === 'complete'", "the cover is shown alone")
    for person in story.windows:
        if person.page.evaluate("window.x !== undefined || document.querySelector('body script, svg script, [onerror], svg img') !== null"):
            raise AssertionError("a script of a reader's text is on the page")
    story.check("scripts in a note, a title, a name and a cover did nothing")


def asked(story):
    """An owner ends the club, which is asked first: Enter answers with the focused "Cancel"."""
    ada, = (one for one in story.send("GET", f"/v1/clubs/{story.club}/members")["items"] if one["name"] == "Ada")
    story.send("PATCH", f"/v1/clubs/{story.club}/members/{ada['reader']}", {"role": "owner"})
    focused = "document.activeElement.closest('dialog') && document.activeElement.textContent === 'Cancel'"
    story.ada.clicks("main button", "End the club")
    story.ada.until(focused, "the page asks before the club ends")
    story.ada.page.evaluate("history.back()")
    story.ada.until("!document.querySelector('dialog')", "the question closes with its page")
    story.ada.clicks("nav a", "Members")
    story.ada.clicks("main button", "End the club")
    story.ada.until(focused, "the page asks again")
    story.ada.keys("Enter")
    story.ada.until("!document.querySelector('dialog')", "the answer is no")
    story.send("GET", f"/v1/clubs/{story.club}")
    story.ada.clicks("main button", "End the club")
    story.ada.clicks("dialog button.danger")
    story.ada.until("location.pathname === '/clubs'", "the club's page closes")
    story.ada.shows("You are not in a club yet", "main")
    story.check("a club ended only after a question")


def operated(story):
    """The reference lists every operation, the inspector shows events, and the operator's page opens; also prints the pages' sizes."""
    figures = {"/sign-in": story.window(story.profiles.context()).measures("/sign-in", HEADING)}
    person, _, reader, _ = story.invited("Olga", "olga")
    story.send("PATCH", f"/v1/readers/{reader}", {"role": "administrator"})
    figures["/"] = person.measures("/", HEADING)
    figures["/docs"] = person.measures("/docs", BUDGETS["/docs"][1])
    count = sum(len(METHODS & path.keys()) for path in story.send("GET", "/openapi.json")["paths"].values())
    person.until(f"new Set([...document.querySelectorAll('[data-operation]')].map(one => one.dataset.operation)).size === {count}",
                 f"the reference has all {count} operations")
    figures["/inspect"] = person.measures("/inspect", BUDGETS["/inspect"][1])
    person.shows(story.send("POST", "/v1/books", {"title": "Seen live"})["id"], ".events")
    figures["/admin"] = person.measures("/admin", HEADING)
    person.shows(EVE, "main")
    for path, (size, paint) in figures.items():
        story.say(f"  {path}: {size / 1000:.1f} kB in all its files, first paint after {paint:.0f} ms")
    if heavy := [path for path, (size, _) in figures.items() if size > BUDGETS[path][0]]:
        raise AssertionError(f"more than the budget: {', '.join(heavy)}")
    story.check(f"the reference has all {count} operations; the inspector and the operator's page work")


ALL = [joined, unlocked, rated, recovered, harmless, asked, operated]
