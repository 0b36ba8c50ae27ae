/// How backups are made. From the command line only: no request names a path or a command.
package struct BackupSettings: Sendable {
    /// Where they go; nil is `backups` in the data directory.
    package var directory: String?
    /// Hours between two that are made without being asked for; 0: none are.
    package var hours = 0
    /// As many are kept; older ones go.
    package var keepMax = 7
    /// What the shell runs for each, with the file on its standard input; nil for nothing.
    package var command: String?
    /// Milliseconds after which the command and all its processes are killed.
    package var commandMillisecondsMax = 60 * 60_000
    /// Whether a copy is made before the schema becomes another.
    package var precedeUpgrades = true

    /// Copies from before upgrades that are kept.
    static let upgradesMax = 3
    /// Seconds after which a copy that is fetched ends when nobody asks for it.
    static let fetchSecondsMax = 60
    /// Copies that may be fetched at once.
    package static let fetchedMax = 4
    /// Failures that are remembered.
    static let failuresMax = 20
    /// Seconds after which a scheduled backup that failed is tried again.
    static let retrySeconds = 600

    /// None but those that are asked for.
    package init() {}
}
