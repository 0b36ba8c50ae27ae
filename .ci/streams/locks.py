"""An injected fault: locks on the write-ahead log's index that prevent the service from reading its database."""

import fcntl, threading, time

FIRST, COUNT = 123, 5
"""Where SQLite's unix files keep the locks of those who read a write-ahead log (`WAL_READ_LOCK`), and how many there are."""
SECONDS = 10.7
"""SQLite tries for ten seconds, then reading is an error."""


class ReadLocks:
    def __init__(self, data):
        self.file = open(data + "/lectern.sqlite-shm", "r+b")

    def hold(self, patience=3):
        """Takes all of them as soon as nobody has one, and gives them back by itself; false if it came to nothing."""
        held, until = set(), time.monotonic() + patience
        while len(held) < COUNT and time.monotonic() < until:
            for number in range(COUNT):
                if number not in held:
                    try:
                        fcntl.lockf(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, FIRST + number)
                        held.add(number)
                    except OSError:
                        pass
        if len(held) < COUNT:
            self.release()
            return False
        threading.Timer(SECONDS, self.release).start()
        return True

    def release(self):
        self.file.close()
