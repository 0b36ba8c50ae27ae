#include "CMigrations.h"

// Every compiler that builds Swift 6.3 has #embed, which C has by its name since 2023.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Each file of migrations/, in the order in which they are applied; a test compares the list with the folder.
static const unsigned char migrations[] = {
#embed "../../migrations/0001_foundation.sql" suffix(, 0,)
#embed "../../migrations/0002_clubs.sql" suffix(, 0,)
#embed "../../migrations/0003_clock.sql" suffix(, 0,)
#embed "../../migrations/0004_removals.sql" suffix(, 0,)
#embed "../../migrations/0005_application.sql" suffix(, 0,)
#embed "../../migrations/0006_bounds.sql" suffix(, 0,)
#embed "../../migrations/0007_catalogue.sql" suffix(, 0,)
#embed "../../migrations/0008_deletions.sql" suffix(, 0,)
#embed "../../migrations/0009_doomed_readings.sql" suffix(, 0,)
#embed "../../migrations/0010_shelves.sql" suffix(, 0,)
#embed "../../migrations/0011_search.sql" suffix(, 0,)
#embed "../../migrations/0012_authors.sql" suffix(, 0,)
#embed "../../migrations/0013_words.sql" suffix(, 0,)
#embed "../../migrations/0014_streams.sql" suffix(, 0,)
#embed "../../migrations/0015_claims.sql" suffix(, 0,)
#embed "../../migrations/0016_settings.sql" suffix(, 0,)
#embed "../../migrations/0017_accounts.sql" suffix(, 0,)
#embed "../../migrations/0018_departures.sql" suffix(, 0,)
#embed "../../migrations/0019_transfer.sql" suffix(, 0,)
#embed "../../migrations/0020_suspensions.sql" suffix(, 0,)
#embed "../../migrations/0021_blocks_and_reports.sql" suffix(, 0,)
#embed "../../migrations/0030_story.sql" suffix(, 0,)
#embed "../../migrations/0031_openings.sql" suffix(, 0,)
#embed "../../migrations/0032_knowledge.sql" suffix(, 0,)
#embed "../../migrations/0033_runs.sql" suffix(, 0,)
#embed "../../migrations/0034_authors_names.sql" suffix(, 0,)
#embed "../../migrations/0035_entry_notes.sql" suffix(, 0,)
#embed "../../migrations/0037_audiences.sql" suffix(, 0,)
#embed "../../migrations/0038_sharing.sql" suffix(, 0,)
#embed "../../migrations/0039_wards.sql" suffix(, 0,)
#embed "../../migrations/0040_measures.sql" suffix(, 0,)
#embed "../../migrations/0041_reticence.sql" suffix(, 0,)
#embed "../../migrations/0042_moves.sql" suffix(, 0,)
};

const unsigned char *lectern_migrations(void) { return migrations; }
size_t lectern_migrations_count(void) { return sizeof migrations; }
