-- "Lect": whose file this is. Files of other programs are refused.
PRAGMA application_id = 1281713012;
