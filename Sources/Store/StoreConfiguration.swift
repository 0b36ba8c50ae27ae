/// The store's limits, each with a default that suits a small machine.
package struct StoreConfiguration: Sendable {
    /// Changes that the log keeps.
    package var retentionCountMax = 1_000_000
    /// Days that the log keeps a change.
    package var retentionDaysMax = 30
    /// Hours that an `Idempotency-Key` holds.
    package var idempotencyHours = 24
    /// Entries of a deleted reading that go in one transaction.
    package var doomedEntriesSliceMax = 1000
    /// Rows whose search words are renewed in one transaction at most; 0: none are.
    package var renewalRowsMax = 4096
    /// Commands that may wait for the writer; one more is refused.
    package var queueMax = 8192
    /// Commands that one commit takes.
    package var batchMax = 256
    /// Microseconds after which a transaction takes no more commands, and a batch that is not atomic continues in the next one.
    package var turnMicrosecondsMax = 15_000
    /// Milliseconds after which a read is given up; 0: never. All of its event loop wait as long.
    package var readMillisecondsMax = 250
    /// By which clock.
    package var readClock = ReadClock()
    /// Microseconds for which a page of a search or a filtered list looks at rows; then it is given as far as it is. Where it
    /// is empty, a suggestion is looked for as long.
    package var pageMicrosecondsMax = Self.pageMicrosecondsMax
    package static let pageMicrosecondsMax = 6000
    /// Frames in the write-ahead log after which the writer checkpoints.
    package var checkpointFrames = 16_000
    /// Bytes of the write-ahead log after which it is cut back.
    package var walBytesMax: Int64 = 128 << 20
    /// Bytes of the write-ahead log that stay when nobody writes.
    package var walIdleBytesMax: Int64 = 4 << 20
    /// Bytes of the file that is given back when the disk is full.
    package var ballastBytes: Int64 = 8 << 20
    /// Bytes of the disk with which the service is ready: copies and exports that nobody has to have leave them.
    package var diskBytesFreeMin: Int64 = 64 << 20
    /// The same with what the write-ahead log may need next: who takes that makes everybody's writes fail.
    var diskBytesSpared: Int64 { max(diskBytesFreeMin, walBytesMax + ballastBytes) }

    /// How backups are made.
    package var backups = BackupSettings()

    /// Whether a commit is on disk before it is acknowledged. It always is in the program, which has no setting for it; tests of other
    /// things need not wait for the disk.
    package var isDurable = true

    /// Whether every reader may change and delete every book, as in a small house where all trust each other.
    package var isCatalogueOpen = false

    /// The defaults.
    package init() {}
}
