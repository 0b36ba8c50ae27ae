#include "CContract.h"

// #embed is part of C23; every compiler that builds Swift 6.3 supports it.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openapi[] = {
#embed "../../openapi.yaml"
};

static const unsigned char openapi_json[] = {
#embed "openapi.json"
};

const unsigned char *lectern_openapi(void) { return openapi; }
size_t lectern_openapi_count(void) { return sizeof openapi; }
const unsigned char *lectern_openapi_json(void) { return openapi_json; }
size_t lectern_openapi_json_count(void) { return sizeof openapi_json; }
