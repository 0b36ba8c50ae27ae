/// A first-in, first-out queue.
public struct FIFOQueue<Element> {
    /// The elements, from `start` on; those before it have been removed.
    @usableFromInline var slots: [Element?] = []
    @usableFromInline var start = 0

    @inlinable
    public init() {}

    @inlinable
    public var isEmpty: Bool { start == slots.count }

    /// The next element to be removed, or `nil` if the queue is empty.
    @inlinable
    public var first: Element? { isEmpty ? nil : slots[start] }

    @inlinable
    public mutating func append(_ element: Element) { slots.append(element) }

    /// Inserts an element before all others.
    @inlinable
    public mutating func prepend(_ element: Element) {
        if start > 0 {
            start -= 1
            slots[start] = element
        } else {
            slots.insert(element, at: 0)
        }
    }

    @inlinable
    public mutating func popFirst() -> Element? {
        if isEmpty { return nil }
        let element = slots[start]
        slots[start] = nil
        start += 1
        if start == slots.count {
            slots.removeAll(keepingCapacity: slots.capacity <= 64)
            start = 0
        } else if start >= 64, start * 2 >= slots.count {
            slots.removeFirst(start)
            start = 0
        }
        return element
    }
}
