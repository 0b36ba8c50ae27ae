/// The limits of the store. The defaults suit a small machine.
package struct StoreConfiguration: Sendable {
    /// The maximum number of changes in the log.
    package var retentionCountMax = 1_000_000
    /// The maximum age of a change in the log, in days.
    package var retentionDaysMax = 30
    /// The lifetime of an `Idempotency-Key`, in hours.
    package var idempotencyHours = 24
    /// The maximum number of entries of deleted readings that one transaction deletes.
    package var deletedEntriesSliceMax = 1000
    /// The maximum number of commands that wait for the writer. Further commands are refused.
    package var queueMax = 8192
    /// The maximum number of commands in one commit.
    package var batchMax = 256
    /// The microseconds after which a transaction takes no more commands. A batch that is not atomic continues in the
    /// next one.
    package var turnMicrosecondsMax = 15_000
    /// The timeout of a read in milliseconds; 0 means none. The whole event loop waits for a read.
    package var readMillisecondsMax = 250
    /// The clock for the timeout.
    package var readClock = ReadDeadlineClock()
    /// The microseconds for which a page of a search or a filtered list visits rows. The page then ends early. The
    /// search for a suggestion, after an empty page, takes as long.
    package var pageMicrosecondsMax = 6000
    /// The number of frames in the write-ahead log after which the writer checkpoints.
    package var checkpointFrames = 16_000
    /// The size of the write-ahead log in bytes after which it is truncated.
    package var walBytesMax: Int64 = 128 << 20
    /// The maximum size of the write-ahead log in bytes while the writer is idle. A longer log is truncated.
    package var walIdleBytesMax: Int64 = 4 << 20
    /// The size of the ballast file in bytes, which is removed when the disk is full.
    package var ballastBytes: Int64 = 8 << 20
    /// The free bytes of the disk that readiness requires. Copies and exports, which are optional, leave as much free.
    package var diskBytesFreeMin: Int64 = 64 << 20
    /// The free bytes that copies leave, including the space that the write-ahead log may need next. Without it all
    /// writes would fail.
    var diskBytesSpared: Int64 { max(diskBytesFreeMin, walBytesMax + ballastBytes) }

    /// The backup settings.
    package var backups = BackupSettings()

    /// A Boolean value indicating whether a commit is synced before it is acknowledged. Only tests turn this off, to
    /// save time; the program has no setting for it.
    package var isDurable = true

    /// A Boolean value indicating whether every reader may change and delete every book, for a small group of readers
    /// who trust each other.
    package var isCatalogueOpen = false

    /// Creates the default configuration.
    package init() {}
}
