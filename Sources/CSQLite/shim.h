#ifndef LECTERN_CSQLITE_H
#define LECTERN_CSQLITE_H
#include <sqlite3.h>

// What only C can say: a variadic call, and a destructor that is a number.
static inline int lectern_sqlite3_config_flag(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}
static inline int lectern_sqlite3_bind_text(sqlite3_stmt *statement, int index, const void *text, int count) {
    return sqlite3_bind_text(statement, index, (const char *)text, count, SQLITE_TRANSIENT);
}
static inline int lectern_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}
// Whether the last write that failed, of the database or its log, failed with this errno: SQLite says so of a full disk only.
static inline int lectern_sqlite3_failed_with(sqlite3 *db, int number) {
    int found = 0;
    sqlite3_file *log = 0;
    sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &found);
    if (found == number) return 1;
    sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (log && log->pMethods) log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &found);
    return found == number;
}
// Without it every allocation of every connection takes one lock, to count bytes that nobody asks for.
static inline int lectern_sqlite3_uncounted_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
#endif
