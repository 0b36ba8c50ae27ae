#ifndef CCONTRACT_H
#define CCONTRACT_H
#include <stddef.h>
/// The bytes of openapi.yaml at build time.
const unsigned char *lectern_openapi(void);
size_t lectern_openapi_count(void);
/// The bytes of openapi.json, the contract as JSON.
const unsigned char *lectern_openapi_json(void);
size_t lectern_openapi_json_count(void);
#endif
