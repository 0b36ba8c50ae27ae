import CLinux
import Glibc

/// What the operator wants done with each backup: a command for the shell, as `age -r … | rclone rcat …`, with the file on its
/// standard input. Its text is the setting's and nothing else; what it says goes to the log's place.
struct BackupCommand {
    let text: String

    /// Runs it to its end, as long as that is wanted; nil when it took the file, else what went wrong.
    func run(_ path: String, name: String, isWanted: () -> Bool) -> String? {
        let input = clinux_open_plain(path)
        guard input >= 0 else { return "\(path): \(DataDirectory.reason())" }
        defer { close(input) }
        var pid: pid_t = 0
        let code = clinux_run_shell(text, input, name, &pid)
        guard code == 0 else { return "the command cannot be run: \(String(cString: strerror(code)))" }
        var ended: Int32 = 0
        while clinux_ended(pid, &ended) == 0 {
            guard isWanted() else {
                stop(pid)
                return "the command was broken off, for the service stops"
            }
            usleep(20_000)
        }
        return ended == 0 ? nil : "the command ended with \(ended)"
    }

    private func stop(_ pid: pid_t) {
        var ended: Int32 = 0
        kill(-pid, SIGTERM)
        for _ in 0..<50 where clinux_ended(pid, &ended) == 0 { usleep(20_000) }
        kill(-pid, SIGKILL)
    }
}
