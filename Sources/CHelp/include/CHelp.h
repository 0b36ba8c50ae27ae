#ifndef CHELP_H
#define CHELP_H
#include <stddef.h>

/// A longer answer, in Markdown, as it was when the binary was built.
struct lectern_topic {
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

/// All of them, by name.
const struct lectern_topic *lectern_topics(void);
size_t lectern_topics_count(void);
#endif
