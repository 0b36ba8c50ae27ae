import API
import FoundationEssentials
import Glibc
import Outbound
import Store

@main
enum Lectern {
    static func main() {
        // A SIGHUP during the start of a server must not end it. The server takes the signal when it serves.
        var hangup = sigset_t()
        sigemptyset(&hangup)
        sigaddset(&hangup, SIGHUP)
        pthread_sigmask(SIG_BLOCK, &hangup, nil)
        openMissingStandardDescriptors()
        do {
            let words = try CommandLineArguments.words(of: CommandLine.arguments)
            if words.first == "--version" || words.first == "-v" {
                print("lectern \(ProgramRelease.version)")
                exit(0)
            }
            let arguments = try CommandLineArguments(words, environment: ProcessInfo.processInfo.environment)
            if arguments.command.words != ["serve"] { pthread_sigmask(SIG_UNBLOCK, &hangup, nil) }
            try arguments.command.run(arguments)
            guard fflush(nil) == 0 else {
                throw CommandError.failed("Cannot write to standard output.")
            }
            exit(0)
        } catch CommandError.ended(let code) {
            exit(code)
        } catch {
            printError("\(error)")
            if case CommandError.misused = error { exit(2) }
            exit(1)
        }
    }
}

/// Opens /dev/null in place of closed standard descriptors. Otherwise the next file would get such a number, and then the
/// texts that are printed. It is opened in the contrary direction, so reading and writing still fail.
private func openMissingStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
        let mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
        guard open("/dev/null", mode) == descriptor else { exit(1) }
    }
}

/// The reason why a command ends with another exit code than 0.
enum CommandError: Error, Equatable, CustomStringConvertible {
    /// The command failed.
    case failed(String)
    /// The command line is wrong.
    case misused(String)
    /// The command has printed everything.
    case ended(code: Int32)

    /// The message for the caller.
    var description: String {
        switch self {
        case .failed(let message), .misused(let message): message
        case .ended(let code): "exit code \(code)"
        }
    }
}

func printError(_ message: String) { writeToStandardError("lectern: \(escapedForTerminal(message))\n") }

/// Writes to standard error. If it is closed, the text is dropped and the command continues.
func writeToStandardError(_ text: String) {
    var text = text
    _ = text.withUTF8 { CompleteFileWrite.of(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
}

extension StringProtocol {
    /// The text without whitespace at its ends.
    var trimmed: String {
        // Scalars, because finding the borders of characters takes much longer.
        let scalars = unicodeScalars
        // Nearly all texts begin and end with a visible character of ASCII.
        if let first = scalars.first, let last = scalars.last, "!"..."~" ~= first, "!"..."~" ~= last {
            return String(self)
        }
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(self[first..<scalars.index(after: last)])
    }
}

/// Returns a text that is safe for a terminal. Control characters, which a terminal would obey, and marks that change
/// the text direction are replaced by their numbers. Line feeds stay.
func escapedForTerminal(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0x0A: shown += "\n"
        case 0x00..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069:
            shown += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        default: shown.unicodeScalars.append(scalar)
        }
    }
    return shown
}
