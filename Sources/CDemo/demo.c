#include "CDemo.h"

// #embed is part of C23; every compiler that builds Swift 6.3 supports it.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char demo[] = {
#embed "demo.jsonl"
};

const unsigned char *lectern_demo(void) { return demo; }
size_t lectern_demo_count(void) { return sizeof demo; }
