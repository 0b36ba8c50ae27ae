#include "CMigrations.h"

// #embed is part of C23; every compiler that builds Swift 6.3 supports it.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Each file of migrations/, in the order in which they are applied; a test compares the list with the folder.
static const unsigned char migrations[] = {
#embed "../../migrations/0001_log.sql" suffix(, 0,)
#embed "../../migrations/0002_readers.sql" suffix(, 0,)
#embed "../../migrations/0003_catalogue.sql" suffix(, 0,)
#embed "../../migrations/0004_readings.sql" suffix(, 0,)
#embed "../../migrations/0005_clubs.sql" suffix(, 0,)
#embed "../../migrations/0006_notes.sql" suffix(, 0,)
#embed "../../migrations/0007_moderation.sql" suffix(, 0,)
};

const unsigned char *lectern_migrations(void) { return migrations; }
size_t lectern_migrations_count(void) { return sizeof migrations; }
