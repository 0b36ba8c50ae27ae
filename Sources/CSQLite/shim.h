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
// While SQLite puts the pages of a split in order, one of them has this number, which no page of the file has. The cache remembers
// the greatest number that it has seen, and if that is not in the file, the next commit visits every page of the cache. These
// functions use 0 instead, which no page has either. All databases that are written must have pages of 4,096 bytes.
enum { LECTERN_SQLITE3_SPLIT_PAGE = 0x40000000 / 4096 + 1 };
// Returns the methods of SQLite's own cache.
static inline sqlite3_pcache_methods2 *lectern_sqlite3_page_cache(void) {
    static sqlite3_pcache_methods2 methods;
    return &methods;
}
static inline void lectern_sqlite3_renumber(
    sqlite3_pcache *cache, sqlite3_pcache_page *page, unsigned from, unsigned to) {
    lectern_sqlite3_page_cache()->xRekey(
        cache, page, from == LECTERN_SQLITE3_SPLIT_PAGE ? 0 : from, to == LECTERN_SQLITE3_SPLIT_PAGE ? 0 : to);
}
static inline int lectern_sqlite3_renumber_splits(void) {
    int code = sqlite3_config(SQLITE_CONFIG_GETPCACHE2, lectern_sqlite3_page_cache());
    if (code != SQLITE_OK) return code;
    sqlite3_pcache_methods2 methods = *lectern_sqlite3_page_cache();
    methods.xRekey = lectern_sqlite3_renumber;
    return sqlite3_config(SQLITE_CONFIG_PCACHE2, &methods);
}
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
