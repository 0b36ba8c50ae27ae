#ifndef CMIGRATIONS_H
#define CMIGRATIONS_H
#include <stddef.h>
/// The files of migrations/ in order, each terminated by a zero byte.
const unsigned char *lectern_migrations(void);
size_t lectern_migrations_count(void);
#endif
