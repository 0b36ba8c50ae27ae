"""The record of one tour against one binary, with names instead of values that differ from run to run."""

import time, traceback

from .chapters import CHAPTERS
from .server import RunningServer
from .names import Names
from .tour import Tour


# The statuses that requests alone can cause on any route that lists them.
PROVOKED = {200, 201, 204, 304, 400, 401, 403, 404, 405, 406, 409, 412, 415, 422}


class Record:
    """A record. `lines` are the steps' labels, requests and responses; streams come last."""

    def __init__(self, lines, counts=None, tour=None):
        self.lines, self.counts, self.tour = lines, counts, tour

    @staticmethod
    def of(binary, contract, expected=None):
        with RunningServer(binary) as server:
            tour = Tour(server, contract, expected)
            try:
                Record.walk(tour)
                tour.settle()
                return Record(list(Record.lines_of(tour)), tour.counts, tour)
            finally:
                tour.close()

    @staticmethod
    def walk(tour):
        """Runs the chapters. If a response lacks a value for the next step, the rest of the chapter is skipped."""
        for chapter in CHAPTERS:
            tour.turn_to(chapter.__name__)
            try:
                chapter(tour)
            except (AttributeError, LookupError, OSError, TypeError, ValueError) as error:
                tour.cuts.append(tour.part)
                frame = traceback.extract_tb(error.__traceback__)[-1]
                print(f"the tour cannot go on in {tour.part} ({error!r}, {frame.name}:{frame.lineno}) after {' '.join(tour.steps[-1][:2])}\n{tour.steps[-1][2]}\n")

    @staticmethod
    def lines_of(tour):
        names = Names(tour.starts, tour.labels, int(time.time() * 1000), tour.epoch, tour.chosen)
        told = [(f"stream of {stream.label}", stream.title, tour.told(stream)) for stream in tour.streams]
        for label, asked, answered in tour.steps + told:
            yield label, names.apply(asked, label), names.apply(answered, label)

    def gaps(self):
        """Returns the parts of the contract that the tour did not cover: (routes, parameters, streams), and (route, status) pairs."""
        tour, operations = self.tour, self.tour.contract.operations
        met = {name for name, _ in tour.answered}
        missing = [f"the end of {part}" for part in tour.cuts]
        missing += [one.name for one in operations if one.name not in met]
        missing += [f"{one.name}?{name}" for one in operations for place, name in one.parameters
                    if place == "query" and (one.name, name) not in tour.queried]
        missing += [f"a stream of {one.name}" for one in operations if one.is_watchable and one.name not in tour.watched]
        statuses = [(one.name, status) for one in operations for status in sorted(one.statuses & PROVOKED)]
        return missing, [pair for pair in statuses if pair not in tour.answered], len(statuses)
