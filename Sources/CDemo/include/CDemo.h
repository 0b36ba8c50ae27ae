#ifndef CDEMO_H
#define CDEMO_H
#include <stddef.h>
/// The bytes of demo.jsonl at build time.
const unsigned char *lectern_demo(void);
size_t lectern_demo_count(void);
#endif
