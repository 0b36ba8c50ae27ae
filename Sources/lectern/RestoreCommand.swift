import Glibc
import Store

/// `lectern restore FILE`.
func restore(_ arguments: Arguments) throws -> Int32 {
    guard let file = arguments.operands.first else {
        throw Arguments.Misuse(message: "restore needs the FILE of a backup.")
    }
    let directory = arguments[.data] ?? ""
    let keepsTokens = arguments[.keepTokens] != nil
    let restored = try Restore(file == "-" ? "/dev/stdin" : file, into: directory, keepsTokens: keepsTokens).run()
    if !restored.hasDigest {
        complain(
            "\(file) has no digest at its end, as if it were cut short. It was checked as by `lectern check`: damage that this does not "
                + "find would not be noticed.")
    }
    print("\(directory) has \(file) now, up to change \(restored.seq). Who watches begins anew.")
    if keepsTokens {
        print("Its tokens hold, also those that were revoked since it was made.")
    } else {
        print("Its \(restored.tokens) tokens have ended. `lectern token create --name NAME` makes one.")
    }
    return 0
}

/// `lectern compact`.
func compact(_ arguments: Arguments) throws -> Int32 {
    let directory = arguments[.data] ?? ""
    let (before, after) = try Store.compact(directory: directory)
    print("\(directory): \(before) bytes before, \(after) now.")
    return 0
}
