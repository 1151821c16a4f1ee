#ifndef TODOMATE_CSQLITE_SHIM_H
#define TODOMATE_CSQLITE_SHIM_H

#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast of a number to a function, which Swift cannot import: SQLite copies the text.
static inline int todomate_bind_text(sqlite3_stmt *statement, int place, const char *text, int length) {
    return sqlite3_bind_text(statement, place, text, length, SQLITE_TRANSIENT);
}

#endif
