#include "CContract.h"

static const unsigned char openapi[] = {
#embed "../../openapi.yaml"
};

const unsigned char *lectern_openapi(void) { return openapi; }
size_t lectern_openapi_count(void) { return sizeof openapi; }
