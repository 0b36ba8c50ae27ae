"""A watched URL as one reader, over any number of connections, with the view that its client would have."""

from .changelog import place
from .client import target
from .longpoll import LongPoll
from .sse import Stream


class Watch:
    """
    `shape` is list, one or feed. The conditions on items are `filters` from the query, `implied` from the list itself, and `scope` from the path.
    The view of a list is a dictionary of items, the view of one resource is the resource or None, and a feed has no view.

    A segment is a sequence of events without a gap: it starts at a snapshot or a cursor, and continues over all connections that resumed it.
    """

    def __init__(self, number, reader, shape, resource, path, filters=None, scope=None, fields=None, limit=100, receive_buffer=None, polls=False, implied=None):
        self.number, self.reader, self.shape, self.resource, self.path = number, reader, shape, resource, path
        self.filters, self.implied, self.scope, self.fields, self.limit = filters or {}, implied or {}, scope or {}, fields, limit
        self.receive_buffer, self.polls = receive_buffer, polls
        self.stream, self.cursor, self.token, self.is_foreign = None, None, None, False
        self.forget()
        self.faults, self.resets, self.resumes, self.heard = [], 0, 0, 0

    def forget(self):
        self.view = {} if self.shape == "list" else None
        self.has_view = self.shape == "feed"
        self.awaits_snapshot = False
        self.has_said_farewell = False
        self.start, self.base, self.events, self.soft_until, self.last = None, set(), [], 0, 0

    def __str__(self):
        query = dict(self.query)
        state = "" if not self.stream else " (stalled)" if self.stream.is_stalled else "" if self.stream.is_open else " (cut)"
        return f"{'poller' if self.polls else 'watcher'} {self.number} of {self.reader.name}, {target(self.path, query)}{state}"

    @property
    def query(self):
        query = dict(self.filters)
        if self.fields:
            query["fields"] = ",".join(self.fields)
        # With a limit it would be a window of the list.
        return query

    @property
    def is_live(self):
        return self.stream is not None and self.stream.is_open and not self.stream.is_stalled

    def open(self, port, token, by_query=False, empty_cursor=False):
        """Opens a connection, which resumes if there is a cursor."""
        query = dict(self.query)
        self.token = token
        self.resumed_from = self.cursor
        header = self.cursor
        if empty_cursor or by_query and self.cursor:
            query["after"] = "" if empty_cursor else self.cursor
            header = None
        self.began_empty = empty_cursor
        if self.cursor:
            self.resumes += 1
        if self.polls:
            self.stream = LongPoll(port, self.path, token, self.cursor)
        else:
            self.stream = Stream(port, target(self.path, query), token, header, self.receive_buffer)
        self.stream.cursor = self.cursor
        self.awaits_snapshot = False
        self.has_said_farewell = False
        self.heard_since_opening, self.reset_from = 0, None
        self.floor = place(self.cursor)

    def begin_with_list(self, send):
        """Uses the list as the view, and watches from where it was read."""
        answer = send(self.reader, "GET", self.path, query={**self.filters, "limit": self.limit})
        if answer.status != 200 or "after" not in answer.json:
            return
        self.cursor = answer.json["after"]
        self.take_page(answer.json, place(self.cursor), lambda watch, cursor: send(
            self.reader, "GET", self.path, query={**self.filters, "limit": self.limit, "cursor": cursor}).json)

    def cut(self):
        if self.stream and self.stream.is_open:
            self.stream.close()
        if self.stream:
            self.cursor = self.stream.cursor

    def pump(self, fetch, inspect, most=1 << 18):
        """Receives events. `fetch` returns the following pages of a snapshot, `inspect` gets each event. Returns whether there were any."""
        if not self.stream or not self.stream.is_open or self.stream.is_stalled:
            return False
        got = self.stream.read(most)
        for event in self.stream.events:
            self.heard += 1
            self.take(event, fetch)
            if event.name not in ("reset", "snapshot", "ahead"):
                inspect(self.reader, event.data, self)
            self.heard_since_opening += 1
        self.stream.events.clear()
        self.cursor = self.stream.cursor
        if self.shape == "feed" and self.start is None and self.cursor:
            self.begin(place(self.cursor))
        return got > 0

    def fault(self, text):
        self.faults.append(text)

    @property
    def is_unsure(self):
        return bool({"q", "author"} & set(self.filters))

    def begin(self, seq):
        self.start, self.last, self.events, self.soft_until = seq, seq, [], 0
        self.base = set(self.view) if self.shape == "list" else set()

    def take(self, event, fetch):
        if event.name == "reset":
            self.resets += 1
            self.awaits_snapshot, self.is_foreign = True, False
            self.reset_reason = event.data.get("reason")
            self.reset_from = self.resumed_from if self.start is not None and not self.heard_since_opening else None
            if self.began_empty and not self.heard_since_opening:
                self.fault(f"an empty cursor, which stands for the beginning, is answered with reset: {self.reset_reason}")
            return
        if event.name == "snapshot":
            return self.take_snapshot(event, fetch)
        if event.name == "ahead":
            # The number of locked notes is no change of the list.
            return
        if self.is_foreign:
            self.fault(f"{self.resumed_from!r} is no cursor of this log, and there is no reset")
            self.is_foreign = False
        if self.awaits_snapshot:
            self.fault(f"{event.name} comes between reset and snapshot")
        data = event.data
        seq = data["seq"]
        if event.id is not None and place(event.id) != seq:
            self.fault(f"the event of {seq} has the id {event.id}")
        if self.is_unsure and self.shape == "list" and self.start is not None and max(self.last, self.floor) <= seq <= self.start:
            # Whether a search has an item is not always known, so its events may come after the comparison that did not need them.
            return self.change_list(event.name, data)
        if seq < self.last or self.start is not None and seq <= max(self.start, self.floor):
            self.fault(f"{event.name} {seq} comes after {max(self.last, self.start or 0, self.floor)}")
        if self.start is None:
            self.begin(place(self.resumed_from) or seq - 1)
        self.last = seq
        if self.has_said_farewell:
            self.fault(f"{event.name} {seq} comes after the farewell")
        if self.is_farewell(event.name, data):
            self.has_said_farewell = True
            # A note that becomes hidden ends its own stream with an event of the log.
            if data["resource"] != self.resource or data["change"] != "hidden":
                return
        self.events.append((event.name, data))
        if self.shape == "list":
            self.change_list(event.name, data)
        elif self.shape == "one":
            self.view = data.get("value")

    def is_farewell(self, name, data):
        """Returns whether an event is the last one of a stream whose reader has lost the club or meeting; it concerns none of the list's items.
        A former moderator loses notes of a list, which continues."""
        is_lost = data.get("reason") == "noLongerYours" and not (self.shape == "list" and data["change"] == "hidden")
        return self.shape != "feed" and (data["resource"] != self.resource or is_lost)

    def take_snapshot(self, event, fetch):
        seq = place(event.id)
        self.floor = seq
        if self.start is not None and not self.awaits_snapshot and self.resource != "standing" and self.resumed_from:
            self.fault("a snapshot comes without a reset")
        self.awaits_snapshot = False
        self.has_view = True
        if self.shape == "list":
            return self.take_page(event.data, seq, fetch)
        if self.shape == "one":
            self.view = event.data
        self.begin(seq)

    def take_page(self, page, seq, fetch):
        """Starts the view with a list's first page; later pages may be newer."""
        self.has_view = True
        self.view = {value["id"]: value for value in page["items"]}
        self.begin(seq)
        newest = max([value["version"] for value in page["items"]], default=0)
        if newest > seq:
            self.fault(f"the list at {seq} has version {newest}")
        while page["next"]:
            page = fetch(self, page["next"])
            if page is None or "items" not in page:
                return self.begin_again()
            for value in page["items"]:
                if value["id"] not in self.view:
                    self.view[value["id"]] = value
            self.soft_until = max([self.soft_until, page["seq"]] + [value["version"] for value in page["items"]])
        self.base = set(self.view)

    def begin_again(self):
        """Forgets a list of which a page could not be read: the next connection must not resume behind it."""
        self.forget()
        self.cursor = None
        if self.stream:
            self.stream.close()
            self.stream.cursor = None
            self.stream.events.clear()

    def change_list(self, name, data):
        held = self.view.get(data["id"])
        if name == "leave":
            if data.get("reason") not in {"deleted": ["deleted"], "hidden": ["undone", "raised", "noLongerYours"]}.get(data["change"], ["changed"]):
                self.fault(f"{data['id']} leaves at {data['seq']} because it is {data['change']}, with the reason {data.get('reason')}")
            if held is None and data["seq"] > self.soft_until:
                self.fault(f"{data['id']} leaves at {data['seq']} and never entered")
            if held is None or held["version"] < data["seq"]:
                self.view.pop(data["id"], None)
            return
        if held is not None and held["version"] > data["value"]["version"]:
            return
        if name == "updated" and held is None and data["seq"] > self.soft_until:
            self.fault(f"{data['id']} is updated at {data['seq']} and never entered")
        if name in ("enter", "unlocked") and held is not None and data["seq"] > self.soft_until and not self.may_repeat(data):
            self.fault(f"{data['id']} enters at {data['seq']} and is there already")
        self.view[data["id"]] = data["value"]

    def may_repeat(self, data):
        """Returns whether an event may be repeated. Events of one change share its id, which only the last has: after a disconnection all
        are sent again."""
        return any(heard["id"] == data["id"] and heard["seq"] == data["seq"] for _, heard in self.events[:-1])

    def advance(self, upto, base):
        """Marks the events up to a change as compared."""
        self.start, self.base = upto, base
        self.events = [(name, data) for name, data in self.events if data["seq"] > upto]
