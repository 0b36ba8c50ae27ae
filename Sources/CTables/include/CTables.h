#ifndef CTABLES_H
#define CTABLES_H
#include <stddef.h>

/// What Unicode 15 takes apart by NFKD: a line each, in order, as `a0:20`; all but the syllables of Hangul.
const unsigned char *lectern_decompositions(void);
size_t lectern_decompositions_count(void);
/// The identifiers of the IANA time zone database that have a slash, and UTC: a line each.
const unsigned char *lectern_zones(void);
size_t lectern_zones_count(void);
/// What time it is there, a line each: the identifier, the minutes that clocks are ahead of UTC; and where they are put forward, the
/// minutes then, and when that begins and ends each year: month, week (5: the last), day of the week (0: Sunday), and minutes after
/// midnight by the clocks as they are before it.
const unsigned char *lectern_zone_rules(void);
size_t lectern_zone_rules_count(void);
/// The languages that have a code of two letters: that, the one of ISO 639-2, or `-`, and the English name, a line each.
const unsigned char *lectern_languages(void);
size_t lectern_languages_count(void);
/// The most common passwords, as `.ci/passwords` makes them: of each the first four bytes of the SHA-256, in order.
const unsigned char *lectern_passwords(void);
size_t lectern_passwords_count(void);
#endif
