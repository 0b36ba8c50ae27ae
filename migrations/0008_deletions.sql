-- What of a kind was deleted of a reader's, or a club's, after a change: replayed cards ask for it.
CREATE INDEX changes_deletion_scope ON changes (scope, kind, seq) WHERE operation = 3;
