import Bytes
import Foundation
import Model
import SharedByTests
import Synchronization
import Testing

@testable import API

@Suite("Token buckets")
struct TokenBucketTests {
    private static let second: Int64 = 1_000_000_000

    @Test("Token buckets allow what a bucket filled drop by drop allows, for random requests")
    func model() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let limit = RateLimit(
                perSecond: [1, 3, 10, 1000, 1_000_000].randomElement(using: &random)!,
                burst: [1, 2, 7, 5000].randomElement(using: &random)!)
            let bucket = TokenBucket()
            // The bucket's content, in nanoseconds.
            let full = limit.interval * Int64(limit.burst)
            var (held, last, now) = (full, Int64(0), Int64(0))
            for _ in 0..<200 {
                now += Int64.random(in: 0...(2 * limit.interval), using: &random)
                held = min(full, held + now - last)
                last = now
                let weight = Int.random(in: 1...3, using: &random)
                let price = min(full, limit.interval * Int64(weight))
                let left = bucket.take(weight, limit, at: now)
                #expect(left == held - price, "\(limit)")
                if left >= 0 { held -= price }
            }
        }
    }

    @Test("Token buckets allow no more to many threads than to one")
    func threads() async {
        let (limit, bucket) = (RateLimit(perSecond: 1, burst: 1000), TokenBucket())
        let given = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask { (0..<1000).count { _ in bucket.take(1, limit, at: 5) >= 0 } }
            }
            return await group.reduce(0, +)
        }
        #expect(given == 1000)
    }

    @Test("Token buckets owe the cost of expensive work, but at most one whole bucket")
    func debts() {
        let limit = RateLimit(perSecond: 10, burst: 10)
        let bucket = TokenBucket()
        bucket.charge(15, limit, at: 0)
        #expect(bucket.take(1, limit, at: 0) == -Self.second / 10)
        bucket.charge(Int.max, limit, at: 0)
        bucket.charge(1000, limit, at: 0)
        #expect(bucket.take(1, limit, at: 0) == -Self.second - Self.second / 10)
        #expect(bucket.take(1, limit, at: 2 * Self.second) >= 0)
    }

    @Test("Full token buckets admit what is larger than they are, and buckets that are off admit everything")
    func extremes() {
        let limit = RateLimit(perSecond: 10, burst: 10)
        let bucket = TokenBucket()
        #expect(bucket.take(.max, limit, at: 0) == 0)
        #expect(bucket.take(.max, limit, at: 1) == -Self.second + 1)
        #expect(bucket.take(.max, .off, at: 1) == .max)
        #expect(bucket.take(1, RateLimit(perSecond: .max, burst: .max), at: 10 * Self.second) >= 0)
    }

    @Test(
        "Rates are parsed strictly",
        arguments: [
            ("1000", RateLimit(perSecond: 1000, burst: 5000)),
            ("10:3", RateLimit(perSecond: 10, burst: 3)), ("0", .off),
            ("0:0", .off), ("0:9", .off),
            ("1000000000", RateLimit(perSecond: 1_000_000_000, burst: 1_000_000_000)),
        ])
    func rates(_ text: String, _ rate: RateLimit) { #expect(RateLimit(text) == rate) }

    @Test(
        "Invalid rates are refused",
        arguments: ["", ":", "1:", ":1", "1:0", "-1", "+1", "1.5", "1:2:3", "1000000001", "x", " 1"])
    func noRate(_ text: String) { #expect(RateLimit(text) == nil) }

    private func viewer(_ reader: Int64, _ token: UInt64) -> Viewer {
        Viewer(
            reader: ResourceID(high: 2, low: UInt64(reader)), readerKey: reader, role: .reader, access: .read,
            token: ResourceID(high: 1, low: token), expiresAt: nil)
    }

    @Test("Token buckets are shared by all loops, one for each token and reader; requests over the socket have none")
    func shared() throws {
        let callerLimitTable = CallerTokenBucketTable()
        let first = try #require(callerLimitTable.of(viewer(1, 1), at: 0))
        let same = try #require(callerLimitTable.of(viewer(1, 1), at: 0))
        let second = try #require(callerLimitTable.of(viewer(1, 2), at: 0))
        #expect(first.token === same.token && first.reader === same.reader)
        #expect(first.token !== second.token && first.reader === second.reader)
        let local = Viewer(
            reader: .zero, readerKey: 1, role: .administrator, access: .write, token: nil, expiresAt: nil)
        #expect(callerLimitTable.of(local, at: 0) == nil)
    }

    @Test("Full and unused token buckets are evicted, so the table stays bounded; others never are")
    func bounded() throws {
        let callerLimitTable = CallerTokenBucketTable()
        let limit = RateLimit(perSecond: 1, burst: 5)
        let held = try #require(callerLimitTable.of(viewer(1, 1), at: 0))
        let empty = try #require(callerLimitTable.of(viewer(2, 2), at: 0)).token
        #expect(empty.take(5, limit, at: 0) == 0)
        for number in 3..<100_000 {
            _ = callerLimitTable.of(viewer(Int64(number), UInt64(number)), at: 1)
            #expect(callerLimitTable.count <= 2 * CallerTokenBucketTable.restMax + 10)
        }
        #expect(callerLimitTable.of(viewer(1, 1), at: 1)?.token === held.token)
        #expect(callerLimitTable.of(viewer(2, 2), at: 1)?.token === empty)
    }
}

@Suite("Delayed refusals")
struct LateRefusalTests {
    @Test("Delayed refusals are sent after a tenth of a second, at most a thousand a second; beyond a limit, at once")
    func pace() {
        var refusals = DelayedRefusals()
        #expect(refusals.next(now: 5) == 100)
        let delays = (0..<900).map { _ in refusals.next(now: 5) }
        #expect(delays.first == 101 && delays.last == 1000)
        #expect(refusals.next(now: 5) == 0)
        #expect(refusals.next(now: 6) == 1000)
        #expect(refusals.next(now: 60_000) == 100)
    }
}
