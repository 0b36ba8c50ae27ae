import Model
import Testing

@testable import ObservableModels

@Suite("The cache of representations")
struct RepresentationCacheTests {
    private func change(_ id: ResourceID, _ seq: Int64, _ value: [UInt8]?) -> Change {
        Change(
            seq: seq, transaction: seq, at: Instant(milliseconds: 0), kind: .book, id: id, scope: .everyone,
            operation: value == nil ? .deleted : .updated, changed: [], value: value, before: [1], key: 0)
    }

    @Test("Resources that were read and deleted are not kept")
    func deleted() {
        var cache = RepresentationCache(bytesMax: 1 << 20)
        for number in 0..<20_000 {
            let id = ResourceID(high: 1, low: UInt64(number))
            let value = CachedRepresentation(version: 1, bytes: [1, 2, 3], scope: .everyone)
            cache.hold(value, of: .init(id: id, kind: .book))
            cache.learn(change(id, 2, nil))
        }
        #expect(cache.bytes == 0 && cache.order.count <= 1025)
    }

    @Test("A resource that is deleted and made again has few places in the order")
    func madeAgain() {
        var cache = RepresentationCache(bytesMax: 1 << 20)
        let id = ResourceID(high: 1, low: 0)
        for version in 0..<5000 {
            let value = CachedRepresentation(version: Int64(version), bytes: [1], scope: .everyone)
            cache.hold(value, of: .init(id: id, kind: .book))
            cache.learn(change(id, Int64(version) + 1, nil))
        }
        #expect(cache[.init(id: id, kind: .book)] == nil && cache.order.count <= 1025)
    }

    @Test("Of two resources whose ids were chosen to collide, the cache holds the latest")
    func collision() {
        var cache = RepresentationCache(bytesMax: 1 << 20)
        let keys = [UInt64(0), 1].map { low in
            RepresentationCache.Key(id: ResourceID(high: low &* 0x9e37_79b9_7f4a_7c15, low: low), kind: .book)
        }
        for (index, key) in keys.enumerated() {
            cache.hold(CachedRepresentation(version: 1, bytes: [UInt8(index)], scope: .everyone), of: key)
        }
        #expect(cache[keys[0]] == nil && cache[keys[1]]?.bytes == [1])
        cache.learn(change(keys[0].id, 2, nil))
        #expect(cache[keys[1]] != nil)
        cache.learn(change(keys[1].id, 2, nil))
        #expect(cache.bytes == 0)
    }
}
