import Glibc

/// A backup that is received as page records and written only to a file at its destination.
package final class ReceivedBackup {
    private let file: PartialFile
    private let name: String
    private var reader: PageRecordReader

    /// Starts a backup with that file name, which must not exist.
    package init(_ name: String) throws(StoreError) {
        self.name = name
        file = try PartialFile(name)
        reader = PageRecordReader(to: file.descriptor)
    }

    /// Reads the next bytes of the records.
    package func take(_ bytes: [UInt8]) throws(StoreError) {
        do throws(PageRecordError) {
            try reader.take(bytes)
        } catch {
            throw .file(path: file.part, reason: error.reason)
        }
    }

    /// Verifies the copy, appends its digest and renames it. Returns its last change and length.
    package func finish() throws(StoreError) -> Store.Copied {
        guard reader.seq != nil else { throw .file(path: name, reason: "the backup is incomplete") }
        let copy = DatabaseCopyFile(path: file.part)
        try copy.seal()
        let seq = try copy.verify().seq
        let bytes = try copy.addDigest()
        try file.finish(replacing: false)
        return Store.Copied(seq: seq, bytes: bytes)
    }
}
