"""An injected fault: locks on the write-ahead log's index that prevent the service from reading its database."""

import fcntl, threading, time

FIRST, COUNT = 123, 5
"""The offset and the number of the bytes that SQLite's unix files lock for readers of a write-ahead log (`WAL_READ_LOCK`)."""
SECONDS = 10.7
"""The seconds to hold the locks: SQLite retries for ten seconds, and then reports an error."""


class ReadLocks:
    def __init__(self, data):
        self.file = open(data + "/lectern.sqlite-shm", "r+b")

    def hold(self, patience=3):
        """Takes all locks as soon as they are free, and releases them after a while. Returns False if that failed."""
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
