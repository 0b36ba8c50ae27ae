-- How far the log had come by the hours that the server has been running (see HouseClock): the age of a change is told by
-- them, not by its own time, which a wrong clock may have written.
CREATE TABLE clock_marks (
    time INTEGER PRIMARY KEY, -- by the house's clock
    seq  INTEGER NOT NULL,    -- the log's last change
    wall INTEGER NOT NULL     -- what the machine's clock said
) STRICT;
