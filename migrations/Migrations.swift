/// The database's schema, one step a file, in the order in which they are applied.
///
/// A file is never changed once it has been released: the next change is the next number.
public enum Migrations {
    /// The bytes of every migration; its version is its index plus one.
    public static let all: [[UInt8]] = [
        PackageResources._001_foundation_sql,
        PackageResources._002_clubs_sql,
        PackageResources._003_clock_sql,
        PackageResources._004_removals_sql,
        PackageResources._005_application_sql,
        PackageResources._006_bounds_sql,
        PackageResources._007_catalogue_sql,
        PackageResources._008_deletions_sql,
        PackageResources._009_doomed_readings_sql,
        PackageResources._010_shelves_sql,
        PackageResources._011_search_sql,
        PackageResources._012_authors_sql,
        PackageResources._013_words_sql,
        PackageResources._014_streams_sql,
        PackageResources._015_claims_sql,
        PackageResources._016_settings_sql,
        PackageResources._017_accounts_sql,
        PackageResources._018_departures_sql,
        PackageResources._019_transfer_sql,
        PackageResources._020_suspensions_sql,
        PackageResources._021_blocks_and_reports_sql,
        PackageResources._030_story_sql,
        PackageResources._031_openings_sql,
        PackageResources._032_knowledge_sql,
        PackageResources._033_runs_sql,
        PackageResources._034_authors_names_sql,
        PackageResources._035_entry_notes_sql,
        PackageResources._037_audiences_sql,
        PackageResources._038_sharing_sql,
        PackageResources._039_wards_sql,
        PackageResources._040_measures_sql,
        PackageResources._041_reticence_sql,
        PackageResources._042_moves_sql,
    ]
}
