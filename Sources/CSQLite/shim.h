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
// The database's file, past every cache, as SQLite has it open: opening it once more, and closing that, would give its locks up.
static inline sqlite3_file *lectern_sqlite3_file(sqlite3 *db) {
    sqlite3_file *file = 0;
    sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    return file && file->pMethods ? file : 0;
}
static inline int lectern_sqlite3_read(sqlite3 *db, void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *file = lectern_sqlite3_file(db);
    return file ? file->pMethods->xRead(file, bytes, count, offset) : SQLITE_IOERR_READ;
}
static inline int lectern_sqlite3_write(sqlite3 *db, const void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *file = lectern_sqlite3_file(db);
    return file ? file->pMethods->xWrite(file, bytes, count, offset) : SQLITE_IOERR_WRITE;
}
static inline int lectern_sqlite3_sync(sqlite3 *db) {
    sqlite3_file *file = lectern_sqlite3_file(db);
    return file ? file->pMethods->xSync(file, SQLITE_SYNC_NORMAL) : SQLITE_IOERR_FSYNC;
}
#endif
