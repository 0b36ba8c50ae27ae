#ifndef CCONTRACT_H
#define CCONTRACT_H
#include <stddef.h>
/// The bytes of openapi.yaml, as it was when the binary was built.
const unsigned char *lectern_openapi(void);
size_t lectern_openapi_count(void);
/// The bytes of openapi.json, which is the same.
const unsigned char *lectern_openapi_json(void);
size_t lectern_openapi_json_count(void);
#endif
