import CLinux
import Glibc

/// What the operator wants done with each backup: a command for the shell, as `age -r … | rclone rcat …`, with the file on its
/// standard input. Its text is the setting's and nothing else; of what it says the end is kept.
struct BackupCommand {
    let text: String

    /// How it ended: nil when it took the file, else what went wrong; and the end of what it said.
    typealias End = (failure: String?, said: String)

    /// Runs it to its end, as long as that is wanted.
    func run(_ path: String, name: String, isWanted: () -> Bool) -> End {
        let input = clinux_open_plain(path)
        guard input >= 0 else { return ("\(path): \(DataDirectory.reason())", "") }
        defer { close(input) }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return ("no pipe: \(DataDirectory.reason())", "") }
        var output = CommandOutput(ends[0])
        defer { output.close() }
        var pid: pid_t = 0
        let code = clinux_run_shell(text, input, ends[1], name, &pid)
        close(ends[1])
        guard code == 0 else { return ("the command cannot be run: \(String(cString: strerror(code)))", "") }
        var ended: Int32 = 0
        while clinux_ended(pid, &ended) == 0 {
            output.read()
            guard isWanted() else {
                stop(pid)
                return ("the command was broken off, for the service stops", output.text)
            }
            usleep(20_000)
        }
        output.read()
        return (ended == 0 ? nil : "the command ended with \(ended)", output.text)
    }

    private func stop(_ pid: pid_t) {
        var ended: Int32 = 0
        kill(-pid, SIGTERM)
        for _ in 0..<50 where clinux_ended(pid, &ended) == 0 { usleep(20_000) }
        kill(-pid, SIGKILL)
    }
}

/// The end of what a command says, however much that is.
private struct CommandOutput {
    private static let bytesMax = 1000

    private let descriptor: Int32
    private var last: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// Of the end of a pipe that is read.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        // The command has none of our descriptors beyond its own three.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    var text: String {
        let text = String(decoding: last, as: UTF8.self)
        return String(text.reversed().drop { $0.isWhitespace }.reversed())
    }

    mutating func read() {
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            last += buffer[..<count].suffix(Self.bytesMax)
            last.removeFirst(max(0, last.count - Self.bytesMax))
        }
    }

    func close() { Glibc.close(descriptor) }
}
