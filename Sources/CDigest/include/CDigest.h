#ifndef CDIGEST_H
#define CDIGEST_H
#include <stddef.h>
#include <stdint.h>

/// Hashes blocks of 64 bytes into the eight words of a SHA-256 state (FIPS 180-4, 6.2.2).
void lectern_sha256(uint32_t *state, const unsigned char *blocks, size_t count);
#endif
