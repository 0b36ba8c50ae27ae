"""The differences of two records, formatted for a person."""

import difflib, re


def differences(old, new):
    """Yields each differing step with its label, its request, and the difference."""
    before, after = ({label: (asked, answered) for label, asked, answered in lines} for lines in (old, new))
    for side, here, there in (("old", before, after), ("new", after, before)):
        for label in here:
            if label not in there:
                yield label, here[label][0], f"only {side} came to be asked this"
    for label, (asked, answer) in before.items():
        if label in after and after[label] != (asked, answer):
            asked_now, answer_now = after[label]
            yield label, asked, (f"but new was asked: {asked_now}\n" if asked != asked_now else "") + shown(answer, answer_now)


def shown(before, after):
    return "\n".join(list(difflib.unified_diff(pieces(before), pieces(after), "old", "new", lineterm="", n=2))[:120])


def pieces(text):
    """Splits a text into lines, with JSON members on separate lines; nothing is removed."""
    return re.sub(r'(,(?=["{\[])|[{\[](?=["{\[]))', "\\1\n    ", text).split("\n")
