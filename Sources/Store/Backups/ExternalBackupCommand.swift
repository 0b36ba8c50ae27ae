import CLinux
import Glibc

/// The operator's shell command for each backup, such as `age -r … | rclone rcat …`, which reads the file from standard
/// input. The command is exactly the text of the setting. The end of its output is kept.
struct ExternalBackupCommand {
    let text: String
    /// The timeout in milliseconds, after which the command and all processes of its process group are killed.
    let millisecondsMax: Int

    /// The result of the command.
    struct Outcome {
        /// The reason for a failure, or `nil` if the command accepted the file.
        var failure: String?
        /// The end of its output.
        var output = ""
        /// A Boolean value indicating whether the command was killed because it took too long.
        var isLate = false
    }

    /// Runs the command until it ends, times out or is no longer wanted.
    func run(_ path: String, name: String, isWanted: () -> Bool) -> Outcome {
        let input = clinux_open_plain(path)
        guard input >= 0 else { return Outcome(failure: "\(path): \(DataDirectory.reason())") }
        // The descriptor was only read from, so closing it loses nothing.
        defer { close(input) }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return Outcome(failure: "cannot create a pipe: \(DataDirectory.reason())") }
        var output = CommandOutputTail(ends[0])
        defer { output.close() }
        var pid: pid_t = 0
        let code = clinux_run_shell(text, input, ends[1], name, &pid)
        // Nothing was written to this descriptor here.
        close(ends[1])
        guard code == 0 else { return Outcome(failure: "cannot run the command: \(String(cString: strerror(code)))") }
        let deadline = MonotonicTime.microseconds + millisecondsMax * 1000
        var ended: Int32 = 0
        while clinux_ended(pid, &ended) == 0 {
            output.read()
            guard isWanted() else {
                stop(pid)
                return Outcome(failure: "the server stopped before the command ended", output: output.text)
            }
            guard MonotonicTime.microseconds < deadline else {
                stop(pid)
                output.read()
                return Outcome(
                    failure: "the command was killed after \(allowedTime)", output: output.text, isLate: true)
            }
            usleep(20_000)
        }
        output.read()
        return Outcome(failure: ended == 0 ? nil : "the command ended with \(ended)", output: output.text)
    }

    private var allowedTime: String {
        millisecondsMax < 60_000 ? "\(millisecondsMax) ms" : "\(millisecondsMax / 60_000) minutes"
    }

    /// Ends the process group: first with SIGTERM, after a second with SIGKILL. Reaps the shell.
    private func stop(_ pid: pid_t) {
        // It fails if all processes of the group have ended.
        kill(-pid, SIGTERM)
        let hasEnded = hasEnded(pid)
        // Processes of the group may outlive the shell. It fails if there are none.
        kill(-pid, SIGKILL)
        // A process that the kernel does not release, for example because a disk hangs, is not reaped.
        if !hasEnded { _ = self.hasEnded(pid) }
    }

    /// Returns a Boolean value indicating whether the shell ends within a second.
    private func hasEnded(_ pid: pid_t) -> Bool {
        var code: Int32 = 0
        for _ in 0..<50 {
            if clinux_ended(pid, &code) != 0 { return true }
            usleep(20_000)
        }
        return false
    }
}

/// The last bytes of a command's output.
private struct CommandOutputTail {
    private static let bytesMax = 1000

    private let descriptor: Int32
    private var last: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// Creates the reader of a pipe's read end.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        // The command inherits only its own three descriptors, so this flag does not affect it. The call fails only for
        // an invalid descriptor.
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

    // The descriptor was only read from, so closing it loses nothing.
    func close() { Glibc.close(descriptor) }
}
