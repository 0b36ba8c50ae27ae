"""The tour's requests and streams, and their record. The chapters decide what is sent."""

import datetime, json, re, select, time, types

from .wire import Stream, Wire, head

LONG = 100_000
SSE = {"Accept": "text/event-stream"}


class Tour:
    def __init__(self, server, contract, expected=None):
        self.server, self.contract, self.expected = server, contract, expected or {}
        self.wire, self.steps, self.streams, self.chosen = Wire(server.port), [], [], {}
        self.starts, self.labels, self.part, self.count, self.long = [], [], "", 0, {}
        self.tokens, self.at = {"admin": server.token("tour")}, types.SimpleNamespace()
        self.answered, self.queried, self.watched, self.cuts = set(), set(), set(), []

    # Requests

    def ask(self, actor, method, target, body=None, fields=None, raw=None):
        """Sends one request, alone on the server. A body is a value, or bytes; `raw` is a request that no client would send."""
        self.begin()
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
        request = raw or self.request(actor, method, target, data, fields or {}, body is not None)
        answer = self.wire.send(request, method == "HEAD")
        self.note(method, target, answer.status)
        self.steps.append((self.labels[-1], self.title(actor, method, target, data, fields), self.shown(answer, method)))
        return answer

    def get(self, actor, target, fields=None):
        return self.ask(actor, "GET", target, fields=fields)

    def post(self, actor, target, body=None, fields=None):
        return self.ask(actor, "POST", target, body, fields)

    def put(self, actor, target, body=None, fields=None):
        return self.ask(actor, "PUT", target, body, fields)

    def patch(self, actor, target, body=None, fields=None):
        return self.ask(actor, "PATCH", target, body, fields)

    def delete(self, actor, target, fields=None):
        return self.ask(actor, "DELETE", target, fields=fields)

    def pages(self, actor, target):
        """Reads a list with one item per page, and the first page again by its tag. The names of later steps do not depend on the number of pages."""
        end = self.count + 6
        mark = "&" if "?" in target else "?"
        answer = self.get(actor, f"{target}{mark}limit=1")
        self.get(actor, f"{target}{mark}limit=1", {"If-None-Match": answer.etag})
        for _ in range(4):
            cursor = answer.json.get("next") if answer.status == 200 else None
            if not cursor:
                break
            answer = self.get(actor, f"{target}{mark}limit=1&cursor={cursor}")
        self.count = end

    def soon(self, seconds):
        """Returns a time within the tour, which has the same name in each tour."""
        moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
        text = moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"
        self.chosen[text] = f"soon#{len(self.chosen) + 1}"
        return text

    def turn_to(self, part):
        """Starts a part of the tour. Steps are named by their part, so an additional one does not rename all that follow."""
        self.part, self.count = part, 0

    def begin(self):
        """Starts a step in a new millisecond, so times identify the step."""
        last = int(time.time() * 1000)
        while self.starts and int(time.time() * 1000) <= last:
            time.sleep(0.0002)
        self.count += 1
        self.starts.append(int(time.time() * 1000))
        self.labels.append(f"{self.part}:{self.count}")

    def request(self, actor, method, target, data, fields, has_body):
        known = {name.lower() for name in fields}
        sent = [("Host", "lectern")]
        if actor in self.tokens:
            sent.append(("Authorization", f"Bearer {self.tokens[actor]}"))
        if has_body and "content-type" not in known:
            sent.append(("Content-Type", "application/merge-patch+json" if method == "PATCH" else "application/json"))
        if has_body:
            sent.append(("Content-Length", str(len(data))))
        return head(method, target, sent + list(fields.items())) + data

    @staticmethod
    def title(actor, method, target, data=b"", fields=None):
        said = "".join(f" [{name}: {value}]" for name, value in (fields or {}).items())
        return f"{actor or 'nobody'}: {method} {target}{said} {data.decode(errors='replace')[:2000]}".rstrip()

    def shown(self, answer, method):
        """Returns the response as text, without the date, with a check of the length, and with the contract only once."""
        lines = []
        for line in answer.lines:
            name, _, value = line.partition(": ")
            if name.lower() == "content-length" and method != "HEAD":
                line = f"{name}: " + ("right" if int(value) == len(answer.body) else f"{value}, but {len(answer.body)} came")
            if name.lower() != "date":
                lines.append(line)
        body = answer.body.decode("utf-8", "backslashreplace")
        if "# TYPE" in body:
            body = re.sub(r"^(\w\S*) [\d.e+-]+$", r"\1 n", body, flags=re.M)
        if len(body) > LONG:
            first = self.long.setdefault(body, self.labels[-1])
            body = body if first == self.labels[-1] else f"(the text of {first})"
        return "\n".join(lines) + "\n\n" + body

    def note(self, method, target, status):
        operation = self.contract.operation(method, target)
        if operation:
            self.answered.add((operation.name, status))
            self.queried |= {(operation.name, name) for name in re.findall(r"[?&](\w+)=", target)}
        if status == 405:
            self.answered |= {(one.name, 405) for one in self.contract.operations_at(target)}
        self.drain()

    # Streams

    def watch(self, actor, target, cursor=None, fields=None):
        """Opens a stream that stays open, and waits until it has begun."""
        self.begin()
        more = {**SSE, **({} if cursor is None else {"Last-Event-ID": cursor}), **(fields or {})}
        return self.opened(actor, target, more, lambda stream: stream.head and (cursor or "after=" in target or stream.events or stream.content[1]))

    def poll(self, actor, target, seconds=20):
        """Sends a long poll, which is answered by a later event."""
        self.begin()
        stream = self.opened(actor, target, {"Prefer": f"wait={seconds}"}, lambda stream: True)
        self.barrier()
        return stream

    def opened(self, actor, target, fields, has_begun):
        label, title = self.labels[-1], self.title(actor, "GET", target, fields=fields)
        stream = Stream(self.server.port, self.request(actor, "GET", target, b"", fields, False), label, title)
        stream.wait(has_begun, 10)
        self.steps.append((label, title, "(told below, as a stream)"))
        self.streams.append(stream)
        if stream.head:
            self.note_stream(stream, target)
        self.barrier()
        return stream

    def note_stream(self, stream, target):
        self.note("GET", target, stream.head.status)
        if "text/event-stream" in stream.head.fields.get("content-type", ""):
            self.watched.add(self.contract.operation("GET", target).name)

    def await_event(self, stream, pattern, seconds=5):
        return stream.wait(lambda stream: any(re.search(pattern, event) for event in stream.events), seconds)

    def await_end(self, stream, seconds=5):
        return stream.wait(lambda stream: not stream.is_open or stream.content[1], seconds)

    def barrier(self):
        """Waits for a response that follows all pending output of the loop."""
        for _ in range(2):
            self.wire.send(head("GET", "/healthz", [("Host", "lectern")]))
        self.drain()

    def drain(self, seconds=0):
        """Receives the available bytes of all streams, and returns whether there were any."""
        open_streams = {stream.fileno(): stream for stream in self.streams if stream.is_open}
        poll = select.poll()
        for number in open_streams:
            poll.register(number, select.POLLIN)
        ready = poll.poll(seconds * 1000)
        for number, _ in ready:
            open_streams[number].read()
        return bool(ready)

    def finish(self, streams):
        """Closes streams when they have received all pending events."""
        self.settle(streams)
        for stream in streams:
            stream.ending = stream.ending or self.ending(stream)
            stream.close()

    def settle(self, streams=None):
        """Waits until each stream has as many events as in the other binary's record, and nothing more arrives."""
        streams = self.streams if streams is None else streams
        self.barrier()
        deadline = time.monotonic() + 3
        while any(len(stream.events) < self.expected.get(stream.label, 0) and stream.is_open for stream in streams):
            if time.monotonic() > deadline:
                break
            self.drain(0.05)
        while self.drain(0.05 if self.expected else 0.15):
            pass

    # Results

    @property
    def counts(self):
        return {stream.label: len(stream.events) for stream in self.streams}

    def told(self, stream):
        answer = stream.head
        if answer is None:
            return "(no answer)"
        body = stream.content[0]
        if "text/event-stream" not in answer.fields.get("content-type", ""):
            answer.body = body
            return self.shown(answer, "GET")
        return self.shown(answer, "GET") + "\n\n".join(stream.events + [stream.ending or self.ending(stream)])

    @staticmethod
    def ending(stream):
        return "(ended)" if stream.content[1] else "(open)" if stream.is_open else "(cut off)"

    def close(self):
        for stream in self.streams:
            stream.close()
        self.wire.close()
