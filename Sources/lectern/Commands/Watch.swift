import Dispatch
import FoundationEssentials
import Glibc
import LecternClient

/// `lectern watch PATH…`: prints events until it is stopped, or the server ends the stream for good.
func watch(_ arguments: CommandLineArguments) throws {
    let signals = TerminationSignals()
    let run = try WatchCommandRun(arguments)
    let task = Task.detached { try await run.run().get() }
    DispatchQueue(label: "lectern.watch").async {
        _ = signals.wait()
        // The current write is finished first. A second signal ends the process if a slow reader of the output blocks
        // it.
        signals.exitAtNext()
        task.cancel()
    }
    try waiting(for: task)
}

/// A run of `lectern watch`.
struct WatchCommandRun: Sendable {
    private let stream: EventStream
    private let form: WatchEventFormat

    init(_ arguments: CommandLineArguments) throws {
        for path in arguments.operands where !path.hasPrefix("/") {
            throw CommandError.misused(
                "\"\(path)\" cannot be watched. Give a path, such as /v1/readings/ID, and its --server.")
        }
        stream = try Self.client(arguments).watch(arguments.operands, after: arguments[.after])
        form = try arguments.isOn(.json) || isatty(STDOUT_FILENO) == 0 ? .json : .text
    }

    private static func client(_ arguments: CommandLineArguments) throws -> LecternClient {
        if let remote = try arguments.remoteClient() { return remote }
        guard FileManager.default.fileExists(atPath: arguments.socketPath) else {
            throw CommandError.failed(
                "No server runs on \(arguments.directory). Give a --server, or the --data of a running server.")
        }
        return try LecternClient("http://localhost", token: nil, socketPath: arguments.socketPath)
    }

    /// Watches, and returns the error with which the command ends, if any.
    func run() async -> Result<Void, any Error> {
        var cursor: String?
        var isOffline = false
        defer { if let cursor { writeToStandardError("lectern: resume from here with --after \(cursor)\n") } }
        let connection = EventConnection(stream)
        while let step = await connection.next() {
            switch step {
            case .event(let event):
                do { try CommandOutputFile(nil).write(form.bytes(of: event)) } catch { return .failure(error) }
                cursor = event.cursor
            case .connection(.offline(let why)):
                if !isOffline { printError("\(why); trying again until it succeeds.") }
                isOffline = true
            case .connection(.live):
                if isOffline { printError("connected again.") }
                isOffline = false
            case .connection(.ended(let reason)): return end(reason, wasTold: cursor != nil)
            case .connection(.connecting): break
            }
        }
        return .success(())
    }

    private func end(_ reason: StreamEndReason, wasTold: Bool) -> Result<Void, any Error> {
        switch reason {
        case .done: printError("The server ended the stream.")
        case .endedByServer(let why): printError("The server ended the stream: \(why).")
        case .taken: printError("Another connection took over the stream.")
        case .failed(let error):
            // A resource that was visible and is refused now has ended.
            guard wasTold, case .refused = error else { return .failure(CommandError.failed("\(error)")) }
            printError("\(error)")
        }
        return .failure(CommandError.ended(code: 3))
    }
}
