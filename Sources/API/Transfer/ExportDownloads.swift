import HTTPServer
import Model
import Store

/// The exported files that one event loop is sending. Confined to the loop's thread.
final class ExportDownloads: @unchecked Sendable {
    private struct Download {
        let viewer: Viewer
        /// The file, or `nil` while it is written.
        var file: ExportTemporaryFile?
        var offset = 0
    }

    /// The number of bytes that are read and sent at once. `piecesPerTurn` limits such pieces in one turn of the loop.
    private static let pieceBytes = 64 << 10
    private static let piecesPerTurn = 4
    /// The time that a download may take in addition to the time for its bytes at the lowest permitted rate.
    private static let graceMilliseconds = 600_000
    private static let bytesPerSecondMin = 64 << 10

    private let pipeline: RequestPipeline
    private let loop: EventLoop
    private var opened: [ConnectionID: Download] = [:]

    init(_ pipeline: RequestPipeline, _ loop: EventLoop) { (self.pipeline, self.loop) = (pipeline, loop) }

    /// Writes an export to a file, and sends the file when it is complete.
    func begin(
        _ export: ExportDocument, for viewer: Viewer, _ request: borrowing Request, _ response: inout ResponseWriter
    ) throws(RequestError) -> HandlerResult {
        if request.method == .head {
            head(export, &response)
            return .answered
        }
        let id = request.connection
        try pipeline.service.store.exports.begin(
            for: viewer.readerKey, isAdministrator: viewer.role == .administrator, export.writing
        ) { [weak self, loop] result in
            // The export's thread must not keep the pipeline, whose connection would stay open when the server has closed.
            loop.execute { [weak self] in self?.answer(id, export, result) }
        }
        opened[id] = Download(viewer: viewer)
        return .deferred
    }

    /// Ends the exports of viewers whose access a commit ends.
    func receive(_ commit: Commit) {
        if opened.isEmpty { return }
        for change in commit.changes {
            for (id, download) in opened
            where change.endsStreams(of: download.viewer) || change.changesSuspension(of: download.viewer) {
                forget(id)
                if download.file == nil {
                    loop.answer(id) { pipeline.refuse(change.endsStreams ? .tokenRevoked : .readerSuspended, &$0) }
                } else {
                    loop.cut(id)
                }
            }
        }
    }

    private func head(_ export: ExportDocument, _ response: inout ResponseWriter) {
        response.field("Cache-Control", "no-store")
        response.field("Vary", "Authorization")
        response.field("Content-Disposition", "attachment; filename=\"\(export.name)\"")
        response.stream([], type: export.type, isFinite: true)
    }

    private func answer(
        _ id: ConnectionID, _ export: ExportDocument, _ result: Result<ExportTemporaryFile, RequestError>
    ) {
        // The client is gone, or its access has ended.
        guard opened[id] != nil else { return }
        switch result {
        case .failure(let error):
            forget(id)
            loop.answer(id) { pipeline.refuse(error, &$0) }
        case .success(let file):
            opened[id]?.file = file
            guard loop.answer(id, { head(export, &$0) }) else { return forget(id) }
            // A slower client is disconnected, because its file takes disk space.
            loop.execute(after: Self.millisecondsMax(ofBytes: file.count)) { [weak self, weak file] in
                if let self, let file, opened[id]?.file === file { loop.cut(id) }
            }
        }
    }

    /// Sends as much as the socket takes. Returns `false` if the connection has no download.
    func continueWork(_ id: ConnectionID) -> Bool {
        guard var download = opened[id], let file = download.file else { return false }
        for _ in 0..<Self.piecesPerTurn {
            let piece: [UInt8]
            do throws(RequestError) {
                piece = try file.bytes(at: download.offset, max: Self.pieceBytes)
            } catch {
                // The client detects the missing last line.
                pipeline.service.log.error("\(error)")
                return end(id)
            }
            if piece.isEmpty { return end(id) }
            download.offset += piece.count
            opened[id] = download
            switch loop.send(piece, to: id) {
            case .sent: continue
            case .kept: return true
            case .gone:
                forget(id)
                return true
            }
        }
        // Other connections have their turn first. The connection is known to have a download.
        loop.schedule(id) { [self] in _ = continueWork(id) }
        return true
    }

    /// Returns the time in which a file must be sent.
    static func millisecondsMax(ofBytes count: Int) -> Int { graceMilliseconds + count * 1000 / bytesPerSecondMin }

    private func end(_ id: ConnectionID) -> Bool {
        // The file is removed before the client has received the end, because it may request another one at once.
        forget(id)
        loop.end(id)
        return true
    }

    func forget(_ id: ConnectionID) { opened.removeValue(forKey: id)?.file?.leave() }
}
