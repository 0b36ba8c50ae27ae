#ifndef CHELP_H
#define CHELP_H
#include <stddef.h>

/// A help topic in Markdown, as it was at build time.
struct lectern_topic {
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

/// Returns all topics, sorted by name.
const struct lectern_topic *lectern_topics(void);
size_t lectern_topics_count(void);
#endif
