#include "CTables.h"

// #embed is part of C23; every compiler that builds Swift 6.3 supports it.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char decompositions[] = {
#embed "decompositions.txt"
};
static const unsigned char zone_rules[] = {
#embed "zone_rules.txt"
};
static const unsigned char languages[] = {
#embed "languages.txt"
};
static const unsigned char passwords[] = {
#embed "passwords.bin"
};

const unsigned char *lectern_decompositions(void) { return decompositions; }
size_t lectern_decompositions_count(void) { return sizeof decompositions; }
const unsigned char *lectern_zone_rules(void) { return zone_rules; }
size_t lectern_zone_rules_count(void) { return sizeof zone_rules; }
const unsigned char *lectern_languages(void) { return languages; }
size_t lectern_languages_count(void) { return sizeof languages; }
const unsigned char *lectern_passwords(void) { return passwords; }
size_t lectern_passwords_count(void) { return sizeof passwords; }
