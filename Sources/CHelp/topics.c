#include "CHelp.h"

// #embed is part of C23; every compiler that builds Swift 6.3 supports it.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Each file of docker/help, followed by the list of topics; a test compares both with the folder.
static const unsigned char accounts[] = {
#embed "../../docker/help/accounts.md"
};
static const unsigned char architecture[] = {
#embed "../../docker/help/architecture.md"
};
static const unsigned char backup[] = {
#embed "../../docker/help/backup.md"
};
static const unsigned char books[] = {
#embed "../../docker/help/books.md"
};
static const unsigned char building[] = {
#embed "../../docker/help/building.md"
};
static const unsigned char clubs[] = {
#embed "../../docker/help/clubs.md"
};
static const unsigned char comparison[] = {
#embed "../../docker/help/comparison.md"
};
static const unsigned char deployment[] = {
#embed "../../docker/help/deployment.md"
};
static const unsigned char design[] = {
#embed "../../docker/help/design.md"
};
static const unsigned char limits[] = {
#embed "../../docker/help/limits.md"
};
static const unsigned char moderation[] = {
#embed "../../docker/help/moderation.md"
};
static const unsigned char monitoring[] = {
#embed "../../docker/help/monitoring.md"
};
static const unsigned char oidc[] = {
#embed "../../docker/help/oidc.md"
};
static const unsigned char search[] = {
#embed "../../docker/help/search.md"
};
static const unsigned char security[] = {
#embed "../../docker/help/security.md"
};
static const unsigned char settings[] = {
#embed "../../docker/help/settings.md"
};
static const unsigned char story[] = {
#embed "../../docker/help/story.md"
};
static const unsigned char streams[] = {
#embed "../../docker/help/streams.md"
};
static const unsigned char transfer[] = {
#embed "../../docker/help/transfer.md"
};

#define TOPIC(name) {#name, name, sizeof name}
static const struct lectern_topic topics[] = {
    TOPIC(accounts),
    TOPIC(architecture),
    TOPIC(backup),
    TOPIC(books),
    TOPIC(building),
    TOPIC(clubs),
    TOPIC(comparison),
    TOPIC(deployment),
    TOPIC(design),
    TOPIC(limits),
    TOPIC(moderation),
    TOPIC(monitoring),
    TOPIC(oidc),
    TOPIC(search),
    TOPIC(security),
    TOPIC(settings),
    TOPIC(story),
    TOPIC(streams),
    TOPIC(transfer),
};

const struct lectern_topic *lectern_topics(void) { return topics; }
size_t lectern_topics_count(void) { return sizeof topics / sizeof *topics; }
