#include "CLinux.h"

#ifndef LECTERN_COMMIT
#define LECTERN_COMMIT ""
#endif

const char *clinux_commit(void) { return LECTERN_COMMIT; }
