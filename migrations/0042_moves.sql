-- Entries of devices whose clocks were ahead took place when they were received: the pace of a reading looks for them in that order.
CREATE INDEX entries_ahead ON entries (reading, received_at, key) WHERE happened_at > received_at;
