import Bytes
import Model
import Synchronization
import Testing

@testable import Passwords

@Suite("Passwords")
struct PasswordTests {
    private let hasher: PasswordHasher

    init() throws { hasher = try #require(PasswordHasher(mebibytes: 1)) }

    private func password(_ text: String) throws -> Password { try #require(Password(new: text)) }

    @Test("A hash is yescrypt's, has a salt of its own, and is of that password alone")
    func hashes() throws {
        let hash = try #require(hasher.hash(password("correct horse")))
        #expect(hash.hasPrefix("$y$"))
        #expect(hasher.hash(try password("correct horse")) != hash)
        #expect(hasher.check(try password("correct horse"), against: hash))
        #expect(!hasher.check(try password("correct hors"), against: hash + ""))
        #expect(!hasher.check(try password("correct horse"), against: nil))
        #expect(!hasher.check(try password("correct horse"), against: "not a hash"))
        #expect(!hasher.check(try password("correct horse"), against: nil, orLike: hash))
        #expect(!hasher.check(try password("correct horse"), against: "not a hash", orLike: hash))
    }

    @Test("All bytes of a long password count, and another normal form is the same password")
    func lengths() throws {
        let long = String(repeating: "x", count: 1023)
        let hash = try #require(hasher.hash(password(long + "a")))
        #expect(hasher.check(try password(long + "a"), against: hash))
        #expect(!hasher.check(try password(long + "b"), against: hash))
        #expect(
            Password(new: long + "ab") == nil && Password(new: "1234567") == nil && Password(new: "12345678") != nil)
        let composed = try #require(hasher.hash(password("na\u{EF}vet\u{E9}")))
        #expect(hasher.check(try password("nai\u{308}vete\u{301}"), against: composed))
        let null = try #require(hasher.hash(password("before\u{0}after")))
        #expect(!hasher.check(try password("before\u{0}later"), against: null))
    }

    @Test("A hash with another cost is recognized as outdated")
    func costs() throws {
        let dearer = try #require(PasswordHasher(mebibytes: 2))
        let hash = try #require(hasher.hash(password("correct horse")))
        #expect(!hasher.isStale(hash) && dearer.isStale(hash))
        #expect(dearer.check(try password("correct horse"), against: hash))
    }

    @Test("The thread accepts sixteen jobs, performs them in order, and stops")
    func thread() {
        let thread = PasswordThread(mebibytes: 1)
        let (gate, done) = (Guarded(), Guarded())
        func isTaken(_ job: @escaping PasswordThread.Job) -> Bool {
            do { try thread.submit(job) } catch { return false }
            return true
        }
        gate.numbers.withLock { _ in
            let isFirst = isTaken { _ in gate.numbers.withLock { _ in } }
            #expect(isFirst)
            // The first job starts sooner or later; then sixteen wait.
            var taken = 0
            while taken < PasswordThread.queueMax {
                let number = taken
                if isTaken({ hasher in done.add(hasher == nil ? -1 : number) }) { taken += 1 }
            }
            let isMore = isTaken { _ in }
            #expect(!isMore)
        }
        while done.numbers.withLock({ $0.count }) < PasswordThread.queueMax {}
        #expect(done.numbers.withLock { $0 } == Array(0..<PasswordThread.queueMax))
        thread.stop()
        let isLate = isTaken { _ in }
        #expect(!isLate)
    }

    @Test("Two jobs of an address may wait, and one of a reader or a link, beside others")
    func parties() throws {
        let thread = PasswordThread(mebibytes: 1)
        let gate = Guarded()
        let (one, other) = (
            IPAddress("203.0.113.7").map(PasswordClient.address), IPAddress("203.0.113.8").map(PasswordClient.address)
        )
        let (ada, ben) = (try #require(one), try #require(other))
        let link = PasswordClient.link(SHA256.digest(of: [1]))
        try gate.numbers.withLock { _ in
            try thread.submit { _ in gate.numbers.withLock { _ in } }
            // The job has started as soon as none waits.
            while (try? thread.submit(for: [.reader(0)]) { _ in }) == nil {}
            for parties in [[ada], [ada], [ben, link], [.reader(1)]] as [[PasswordClient]] {
                try thread.submit(for: parties) { _ in }
            }
            for (parties, full) in [
                ([ada], ada), ([ben, link], link), ([.reader(1)], .reader(1)), ([.reader(2), ada], ada),
            ] as [([PasswordClient], PasswordClient)] {
                #expect(throws: PasswordThread.Full(max: full.waitingMax, party: full)) {
                    try thread.submit(for: parties) { _ in }
                }
                #expect(throws: PasswordThread.Full.self) { try thread.demandRoom(for: parties) }
            }
            try thread.submit(for: [ben]) { _ in }
        }
        thread.stop()
    }

    @Test("Signed-in readers and readers with a link have places beside any number of anonymous clients")
    func kept() throws {
        let thread = PasswordThread(mebibytes: 1)
        let (gate, begun) = (Guarded(), Guarded())
        try gate.numbers.withLock { _ in
            try thread.submit { _ in
                begun.add(0)
                gate.numbers.withLock { _ in }
            }
            while begun.numbers.withLock({ $0.isEmpty }) {}
            let addresses = (1...20).compactMap { IPAddress("203.0.113.\($0)") }
            let taken = addresses.count { address in
                (try? thread.submit(for: [.address(address)]) { _ in }) != nil
            }
            #expect(taken == 12)
            #expect(throws: PasswordThread.Full(max: 12, party: nil)) {
                try thread.demandRoom(for: [.address(addresses[19])])
            }
            try thread.submit(for: [.reader(1)]) { _ in }
            try thread.submit(for: [.address(addresses[19]), .link(SHA256.digest(of: [1]))]) { _ in }
        }
        thread.stop()
    }

    private final class Guarded: Sendable {
        let numbers = Mutex<[Int]>([])
        func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    }
}
