/// The backup settings. They come from the command line only: no request names a path.
package struct BackupSettings: Sendable {
    /// The directory of the backups, or `nil` for `backups` in the data directory.
    package var directory: String?
    /// The hours between two scheduled backups; 0 disables the schedule.
    package var hours = 0
    /// The number of backups to keep. Older ones are removed.
    package var keepMax = 7
    /// A Boolean value indicating whether changed rows are logged beside the backups.
    package var logsRows = false
    /// A Boolean value indicating whether a copy is made before the schema is upgraded.
    package var precedeUpgrades = true

    /// The number of copies from before upgrades to keep.
    static let upgradesMax = 3
    /// The number of failed backups that are kept in the list.
    static let failuresMax = 20
    /// The seconds after which a failed scheduled backup is repeated.
    static let retrySeconds = 600
    /// The seconds within which at most two backups are made to begin a log of rows.
    static let rowLogSecondsMin = 3600

    /// Creates settings without scheduled backups.
    package init() {}
}
