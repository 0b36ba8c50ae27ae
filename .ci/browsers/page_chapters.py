"""What happens on the pages, in order."""

import json, os, signal, time, urllib.error, urllib.request

from .pages import HOSTILE, TITLE, EVE

# What every page may weigh, in bytes, and an expression that is true once it shows what it is for.
BUDGETS = {
    "/sign-in": (60_000, "document.querySelector('h1')"),
    "/": (120_000, "document.querySelector('h1')"),
    "/inspect": (60_000, "document.querySelector('h1')"),
    "/docs": (60_000, "document.querySelector('[data-operation]')"),
    "/admin": (60_000, "document.querySelector('h1')"),
}
SCRIPT_IMAGE = b'<svg xmlns="http://www.w3.org/2000/svg" onload="window.x=1"><script>window.x=1</script></svg>'


def joined(story):
    """Two readers come by links, and read along."""
    story.ada, context, story.ada_reader, story.ada_token = story.invited("Ada", "ada", story.club)
    story.eve, _, _, story.eve_token = story.invited(EVE, "eve", story.club)
    for person in (story.ada, story.eve):
        person.clicks("button", "Read along")
        person.until("document.querySelector('.here')", "the club's page says where one is")
        person.keep()
    story.home = story.window(context)
    story.home.go(story.base + "/")
    story.home.until("document.querySelector('.card')", "the book is on the reader's page")
    story.home.keep()
    story.check("two readers joined by links and read along")


def unlocked(story):
    """Notes further on are counted, and one of them opens when the reader has recorded progress."""
    near, far = story.note(100, f"Near {HOSTILE}", story.eve_token), story.note(150, "The very end of the tale", story.eve_token)
    story.ada.shows("2 notes wait", ".ahead")
    hidden = f"!document.documentElement.outerHTML.includes({json.dumps(near)}) && !document.documentElement.outerHTML.includes('Near')"
    if not story.ada.page.evaluate(hidden):
        raise AssertionError("a note that is not reached is on the page")
    record(story, 120)
    story.ada.until(f"document.getElementById('note-{near}')?.querySelector('.prose')", "the note that is reached opens by itself")
    story.ada.shows("1 note waits", ".ahead")
    for person in (story.ada, story.home):
        if person.page.evaluate(f"document.documentElement.outerHTML.includes({json.dumps(far)}) || document.body.textContent.includes('very end')"):
            raise AssertionError("a note that is not reached is on the page")
    story.agree("after a note opened")
    story.check("a note opened where it was reached, without a reload; the other is nowhere")


def record(story, page):
    """Records progress in the editor of the reader's page, with a note of one's own."""
    story.home.clicks(".record")
    story.home.types("#amount", str(page))
    story.home.types("#note", f"At page {page}")
    story.home.clicks("#editor button.primary")
    story.home.until("!document.querySelector('#editor')", "the editor closes")
    story.home.shows(f"Page {page} of", ".card")


def recovered(story):
    """The server is killed, comes back after a while, and the pages go on with what it has."""
    windows = (story.ada, story.eve, story.home)
    for person in windows:
        person.is_away = True
    story.server.end(signal.SIGKILL)
    for person in windows:
        person.until("document.querySelector('#offline')?.textContent.trim()", "the page says that the server is away")
    until = time.monotonic() + story.away
    story.home.clicks(".record")
    story.home.types("#amount", "130")
    story.home.clicks("#editor button.primary")
    story.home.shows("does not answer", "#editor .problem")
    # Nothing tells when that has passed: it is the test's own time.
    time.sleep(max(0, until - time.monotonic()))
    story.start()
    story.note(50, "Written while nobody looked")
    story.send("POST", f"/v1/readings/{story.send('GET', '/v1/cards', token=story.ada_token)['items'][0]['id']}/entries", {"page": 124}, story.ada_token)
    begin = time.monotonic()
    for person in windows:
        person.until("!document.querySelector('#offline')?.textContent.trim()", "the page goes on", 60)
    story.agree("after the server came back")
    for person in windows:
        person.check()
        person.is_away = False
    # What was typed meanwhile is still there, and goes through now.
    story.home.clicks("#editor button.primary")
    story.home.until("!document.querySelector('#editor')", "the editor closes")
    story.home.shows("Page 130 of", ".card")
    story.agree("after the draft was saved")
    story.check(f"after {story.away} s without a server the pages have its state, {time.monotonic() - begin:.1f} s after it was there")


def harmless(story):
    """Text of readers is text, and a cover is an image."""
    story.ada.shows(TITLE, "#now")
    story.ada.shows(EVE, ".standings")
    story.ada.shows(f"Near {HOSTILE}", ".notes")
    story.ada.until("document.querySelector('.cover img')?.naturalWidth > 0", "the cover is an image")
    story.home.shows(TITLE, ".card")
    request = urllib.request.Request(f"{story.base}/v1/books/{story.book}/cover", SCRIPT_IMAGE, method="PUT",
                                     headers={"Authorization": f"Bearer {story.token}", "Content-Type": "image/svg+xml"})
    try:
        urllib.request.urlopen(request, timeout=30)
        raise AssertionError("an image with a script is taken")
    except urllib.error.HTTPError as error:
        error.close()
    story.ada.clicks("nav a", "Members")
    story.ada.shows(EVE, "main")
    for person in (story.ada, story.eve, story.home):
        if person.page.evaluate("window.x !== undefined || document.querySelector('main script, main [onerror]:not(.cover img)') !== null"):
            raise AssertionError("a script of a reader's text ran")
    story.eve.go(f"{story.base}/v1/books/{story.book}/cover")
    story.eve.until("document.documentElement.localName === 'svg' && document.readyState === 'complete'", "the cover is shown alone")
    if story.eve.page.evaluate("window.x !== undefined || document.querySelector('script, img') !== null"):
        raise AssertionError("a script of a cover ran")
    story.check("scripts in a note, a title, a name and a cover did nothing")


def operated(story):
    """The reference has every operation, the inspector shows what happens, and the operator's page opens; and what all pages weigh."""
    figures = {"/sign-in": story.window(story.profiles.context()).measures("/sign-in", BUDGETS["/sign-in"][1])}
    person, _, reader, _ = story.invited("Olga", "olga")
    story.send("PATCH", f"/v1/readers/{reader}", {"role": "administrator"})
    for path in ("/", "/docs", "/inspect", "/admin"):
        figures[path] = person.measures(path, BUDGETS[path][1])
        {"/": lambda *_: None, "/docs": documented, "/inspect": inspected, "/admin": administered}[path](story, person)
        person.check()
    for path, (size, paint) in figures.items():
        story.say(f"  {path}: {size / 1000:.1f} kB in all its files, first paint after {paint:.0f} ms")
    heavy = [path for path, (size, _) in figures.items() if size > BUDGETS[path][0]]
    if heavy:
        raise AssertionError(f"more than the budget: {', '.join(heavy)}")
    story.check("the reference, the inspector and the operator's page work")


def documented(story, person):
    with urllib.request.urlopen(f"{story.base}/openapi.json", timeout=30) as answer:
        paths = json.load(answer)["paths"].values()
    methods = {"get", "put", "post", "patch", "delete", "head", "options", "trace"}
    count = sum(len(methods & path.keys()) for path in paths)
    person.until(f"new Set([...document.querySelectorAll('[data-operation]')].map(one => one.dataset.operation)).size === {count}", f"the reference has all {count} operations")


def inspected(story, person):
    person.until("document.querySelector('.state.live')", "the inspector follows")
    book = story.send("POST", "/v1/books", {"title": "Seen live"})["id"]
    person.shows(book, ".events")


def administered(story, person):
    person.shows("Ada", "main")
    person.shows(EVE, "main")


ALL = [joined, unlocked, recovered, harmless, operated]
