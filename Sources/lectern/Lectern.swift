import API
import Foundation
import Outbound
import Store

@main
enum Lectern {
    static let version = "0.1.0"

    static func main() {
        do {
            let words = try Arguments.words(of: CommandLine.arguments)
            if words.first == "--version" {
                print("lectern \(version)")
                exit(0)
            }
            let arguments = try Arguments(words, environment: ProcessInfo.processInfo.environment)
            exit(try arguments.command.run(arguments))
        } catch let misuse as Arguments.Misuse {
            complain(misuse.message)
            exit(2)
        } catch {
            complain("\(error)")
            exit(1)
        }
    }
}

/// A command did not do what it was asked to.
struct Failure: Error, CustomStringConvertible {
    let description: String
    /// Of the answer, where it was the server that refused.
    var status: Int?
}

func complain(_ message: String) { FileHandle.standardError.write(Data("lectern: \(printable(message))\n".utf8)) }

/// A text from elsewhere as a terminal may have it: control characters, which it would obey, are shown as their numbers, and
/// so are the marks that turn the direction of what follows. Line feeds stay.
func printable(_ text: String) -> String {
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
