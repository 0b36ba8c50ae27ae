#ifndef CPAGES_H
#define CPAGES_H
#include <stddef.h>

/// A file of the pages, as it was at build time.
struct lectern_page {
    /// The path below Sources/CPages.
    const char *path;
    const unsigned char *bytes;
    size_t count;
};

size_t lectern_page_count(void);
struct lectern_page lectern_page(size_t index);
#endif
