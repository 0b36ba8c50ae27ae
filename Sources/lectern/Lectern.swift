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
}

func complain(_ message: String) { FileHandle.standardError.write(Data("lectern: \(printable(message))\n".utf8)) }
