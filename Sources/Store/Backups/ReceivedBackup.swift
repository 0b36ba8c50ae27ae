import Glibc

/// A backup that is received as page records, on its way into a file of its own. Written at its destination, and nowhere else.
package final class ReceivedBackup {
    private let file: PartFile
    private let name: String
    private var reader: PageRecordReader

    /// Begins one that will have that name, which no file may have.
    package init(_ name: String) throws(StoreError) {
        self.name = name
        file = try PartFile(name)
        reader = PageRecordReader(to: file.descriptor)
    }

    /// Takes the next bytes of the records.
    package func take(_ bytes: [UInt8]) throws(StoreError) {
        do throws(PageRecordReader.Fault) {
            try reader.take(bytes)
        } catch {
            throw .file(path: file.part, reason: error.reason)
        }
    }

    /// Reads the copy through, adds its digest and gives it its name. Returns what it is.
    package func finish() throws(StoreError) -> Store.Copied {
        guard reader.seq != nil else { throw .file(path: name, reason: "the backup broke off") }
        let copy = CopyFile(path: file.part)
        try copy.seal()
        let seq = try copy.verify().seq
        let bytes = try copy.addDigest()
        try file.finish(replacing: false)
        return Store.Copied(seq: seq, bytes: bytes)
    }
}
