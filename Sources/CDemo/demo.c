#include "CDemo.h"

// Every compiler that builds Swift 6.3 has #embed, which C has by its name since 2023.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char demo[] = {
#embed "demo.jsonl"
};

const unsigned char *lectern_demo(void) { return demo; }
size_t lectern_demo_count(void) { return sizeof demo; }
