"""The differences of two records, as a person reads them."""

import difflib, re


def differences(old, new):
    """Each place at which the two part, with both sides; a tour that took another way ends the comparison there."""
    for (asked, before), (asked_now, after) in zip(old, new):
        if asked != asked_now:
            yield asked, f"the next thing that was asked is another one: {asked_now}"
        if before != after:
            yield asked, shown(before, after)
    if len(old) != len(new):
        yield "the end", f"{len(old)} steps and streams there, {len(new)} here"


def shown(before, after):
    return "\n".join(list(difflib.unified_diff(pieces(before), pieces(after), "old", "new", lineterm="", n=2))[:120])


def pieces(text):
    """Lines, and the members of JSON on lines of their own; nothing is taken away."""
    return re.sub(r'(,(?=["{\[])|[{\[](?=["{\[]))', "\\1\n    ", text).split("\n")
