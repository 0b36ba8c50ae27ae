#ifndef CTABLES_H
#define CTABLES_H
#include <stddef.h>

/// The NFKD decompositions of Unicode 15: a line each, in order, as `a0:20`; all but the syllables of Hangul.
const unsigned char *lectern_decompositions(void);
size_t lectern_decompositions_count(void);
/// The rules of the zones of the IANA time zone database whose identifiers have a slash, and of UTC, a line each: the identifier
/// and the minutes ahead of UTC. Zones with summer time add its minutes, and its begin and end each year: month, week (5: the
/// last), day of the week (0: Sunday), and minutes after midnight by the clocks before the change.
const unsigned char *lectern_zone_rules(void);
size_t lectern_zone_rules_count(void);
/// The languages with a code of two letters, a line each: that code, the one of ISO 639-2 or `-`, and the English name.
const unsigned char *lectern_languages(void);
size_t lectern_languages_count(void);
/// The most common passwords, as `.ci/passwords` writes them: the first four bytes of each SHA-256, in order.
const unsigned char *lectern_passwords(void);
size_t lectern_passwords_count(void);
#endif
