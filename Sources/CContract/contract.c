#include "CContract.h"

// Every compiler that builds Swift 6.3 has #embed, which C has by its name since 2023.
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
