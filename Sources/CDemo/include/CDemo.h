#ifndef CDEMO_H
#define CDEMO_H
#include <stddef.h>
/// The bytes of demo.jsonl, as it was when the binary was built.
const unsigned char *lectern_demo(void);
size_t lectern_demo_count(void);
#endif
