#include "CPages.h"

// Every compiler that builds Swift 6.3 has #embed, which C has by its name since 2023.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char html[] = {
#embed "page.html"
};
static const unsigned char style[] = {
#embed "page.css"
};
static const unsigned char script[] = {
#embed "page.js"
};

#define FILE_OF(bytes) ((struct lectern_page_file){bytes, sizeof bytes})

struct lectern_page_file lectern_page_html(void) { return FILE_OF(html); }
struct lectern_page_file lectern_page_style(void) { return FILE_OF(style); }
struct lectern_page_file lectern_page_script(void) { return FILE_OF(script); }
