"""Names for values that differ from run to run, by the step where they first occur, so that exchanged values show."""

import base64, bisect, datetime, re

TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
PIECES = re.compile("|".join((
    rf"(?P<chosen>(?:(?<=[es]At\":\")|(?<=[es]At\": \")|(?<=expired at )){TIME})",  # expiresAt, dueAt and startsAt are as asked for
    rf"(?P<time>{TIME})",
    r"(?P<stamp>\b\d{8}T\d{6}Z)",
    r"(?P<id>[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})",
    r"(?P<request>(?:(?<=X-Request-Id: )|(?<=\"requestId\":\"))[0-9a-f]{16})",
    r"(?P<token>lectern_[\w-]{43}(?![\w-]))",
    r"(?P<cursor>(?<=\"next\":\")(?![0-9a-f]{8}-)[\w-]{12,}(?=\")|(?<=[?&]cursor=)[\w-]{12,})",
    r"(?P<hash>(?:(?<=Tag: \")|(?<=tch: \")|(?<=W/\"))[0-9a-f]{1,16}(?=\"))",
    r"(?P<stream>(?<=\.s)[0-9a-f]{8}(?=\.r)|(?<=\.g)[0-9a-f]{18}\b)",
    r"(?P<validator>(?<=-)\d{19}(?=\"))",  # An untouched resource's entity tag is made of its id.
    r"(?P<commit>\b[0-9a-f]{40}\b)",
    r"(?P<colour>(?<=height=\"450\" fill=\")#[0-9a-f]{6})",  # A cover's colour is made of the book's id.
    r"(?P<retry>(?<=retry: )\d+)",
    r"(?P<epoch>\b[0-9a-f]{8}(?=-\d))",
    r"(?P<secret>(?<![\w-])[\w-]{43}(?![\w-]))",
    r"(?P<day>\b\d{4}-\d\d-\d\d\b)",
)))


def milliseconds(text, form="%Y-%m-%dT%H:%M:%S.%f%z"):
    moment = datetime.datetime.strptime(text.replace("Z", "+0000"), form)
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return (moment - epoch) // datetime.timedelta(milliseconds=1)


class Names:
    """Names for values. `starts` are the milliseconds at which the steps began; a time is named by its step."""

    def __init__(self, starts, labels, end, epoch, chosen):
        self.starts, self.labels, self.end, self.epoch = starts, labels, end, epoch
        self.began, self.label, self.fresh, self.known = dict(zip(labels, starts)), "", 0, dict(chosen)

    def apply(self, text, label):
        if label != self.label:
            self.label, self.fresh = label, 0
        return PIECES.sub(self.name, text)

    def name(self, found):
        kind, text = found.lastgroup, found[0]
        if text in self.known and kind != "time":
            return self.known[text]
        if kind in ("time", "chosen"):
            return self.time(milliseconds(text)) or text
        if kind == "stamp":
            moment = milliseconds(text, "%Y%m%dT%H%M%S%z")
            return "stamp" if self.starts[0] - 1000 <= moment <= self.end + 1000 else text
        if kind == "day":
            today = {datetime.datetime.fromtimestamp(at / 1000, datetime.timezone.utc).strftime("%Y-%m-%d") for at in (self.starts[0], self.end)}
            return "today" if text in today else text
        if kind == "epoch":
            return "epoch" if text == self.epoch else text
        if kind in ("commit", "colour", "retry"):
            return kind
        if kind == "cursor":
            return self.cursor(text)
        self.fresh += 1
        self.known[text] = f"{kind}#{self.label}.{self.fresh}"
        return self.known[text]

    def time(self, moment):
        """Returns the name of a time, or None for one that the tour chose. A future time is named by its distance."""
        if self.starts[0] - 60_000 <= moment < self.starts[0]:
            return "time@before"
        if self.starts[0] <= moment <= self.end:
            return f"time@{self.labels[bisect.bisect_right(self.starts, moment) - 1]}"
        if self.end < moment < self.end + 86_400_000:
            return f"time+{(moment - self.began[self.label]) // 10_000}0s" if self.label in self.began else "time+"
        return None

    def cursor(self, text):
        """Returns the contents of a page's cursor: the key of the last row, and the sort order."""
        try:
            data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        except ValueError:
            return text
        key, rest = int.from_bytes(data[2:10], "big"), data[10:]
        is_number = len(rest) == 8 and rest[0] in (0, 255)  # No text begins so.
        if int.from_bytes(data[1:9], "big") >> 60:  # A cursor of the feed has a part that is made of the epoch.
            return "cursor of the feed"
        value = int.from_bytes(rest, "big", signed=True) if is_number else rest.decode(errors="replace")
        if isinstance(value, int):
            value = self.time(value) or value
        return f"cursor({key}, {value})"
