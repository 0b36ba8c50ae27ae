#ifndef LECTERN_CSQLITE_H
#define LECTERN_CSQLITE_H
// The session extension, which is part of the library, is declared only with these.
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

// Wrappers that need C: a variadic call, and a destructor that is a number.
static inline int lectern_sqlite3_config_flag(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}
static inline int lectern_sqlite3_bind_text(sqlite3_stmt *statement, int index, const void *text, int count) {
    return sqlite3_bind_text(statement, index, (const char *)text, count, SQLITE_TRANSIENT);
}
static inline int lectern_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}
// Returns SQLite's open file of the write-ahead log.
static inline sqlite3_file *lectern_sqlite3_log(sqlite3 *db) {
    sqlite3_file *log = 0;
    sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    return log && log->pMethods ? log : 0;
}
// Returns whether the last failed write of the database or its log had this errno. SQLite itself reports only a full disk.
static inline int lectern_sqlite3_failed_with(sqlite3 *db, int number) {
    int found = 0;
    sqlite3_file *log = lectern_sqlite3_log(db);
    sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &found);
    if (found == number) return 1;
    if (log) log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &found);
    return found == number;
}
// Disables memory statistics, for which every allocation of every connection takes one lock. Nothing reads them.
static inline int lectern_sqlite3_uncounted_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
// Returns SQLite's open database file, below all caches. Closing a second descriptor of it would release SQLite's locks.
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
