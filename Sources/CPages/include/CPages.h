#ifndef CPAGES_H
#define CPAGES_H
#include <stddef.h>

/// A file of the sign-in page, as it was when the binary was built.
struct lectern_page_file {
    const unsigned char *bytes;
    size_t count;
};

struct lectern_page_file lectern_page_html(void);
struct lectern_page_file lectern_page_style(void);
struct lectern_page_file lectern_page_script(void);
#endif
