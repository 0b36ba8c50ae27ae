extension Writer {
    /// Passes the changed rows to their log when they are due, and begins another file of it if a backup asks for one.
    func recordRows(isLast: Bool = false) {
        if !rowLog.isOpen { recorder = nil }
        let isStarting = rowLog.isStarting
        guard isStarting || recorder.map({ isLast || $0.isDue }) ?? false else { return }
        do throws(SQLiteError) {
            if let record = try recorder?.take(head: transaction.nextSeq - 1) { rowLog.add(.success(record)) }
            if isStarting, recorder == nil { recorder = try RowRecorder(connection) }
        } catch {
            // The recorder keeps the rows until another program's lock has ended.
            guard !error.isLocked || isLast else { return }
            recorder = nil
            rowLog.add(.failure(error))
        }
        // Also after an error, which ends the log: the backup waits for it.
        if isStarting { rowLog.beginFile() }
    }
}
