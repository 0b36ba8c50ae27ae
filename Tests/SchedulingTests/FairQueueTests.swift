import Testing

@testable import Scheduling

@Suite("The order of turns")
struct FairQueueTests {
    /// The work of a subject: a letter, and the cost of each element.
    typealias Load = (subject: Character, costs: [Int])

    /// Returns the subjects in the order in which their elements are served.
    private func served(_ loads: [Load], _ queue: inout FairQueue<Character, Int>) -> String {
        for load in loads {
            let account = queue.account(of: load.subject)
            for cost in load.costs { queue.add(cost, of: account) }
        }
        var order = ""
        while let (cost, account) = queue.next() {
            order.append(account.subject)
            queue.charge(cost, to: account)
        }
        return order
    }

    static let table: [(loads: [Load], order: String)] = [
        ([], ""),
        ([("a", [1, 1, 1])], "aaa"),
        // Cheap elements share a turn, up to the quantum.
        ([("a", [5, 5, 5, 5]), ("b", [5, 5])], "aabbaa"),
        // A subject with many elements has the turns of one.
        ([("a", [10, 10, 10, 10, 10]), ("b", [10])], "abaaaa"),
        ([("a", [10, 10, 10]), ("b", [10, 10]), ("c", [10])], "abcaba"),
        // The debt of a long turn is paid in the following rounds.
        ([("a", [30, 10]), ("b", [10, 10, 10, 10])], "abbbab"),
        ([("a", [35, 10]), ("b", [10, 10, 10, 10])], "abbbab"),
        ([("a", [39, 1, 1]), ("b", [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3])], "abbbbbbbbbbabba"),
        // If all subjects are in debt, the smallest debt is paid first.
        ([("a", [1000, 1]), ("b", [500, 1]), ("c", [100, 1])], "abccba"),
        // An element without a measurable cost costs one.
        ([("a", Array(repeating: 0, count: 12)), ("b", [1])], "aaaaaaaaaabaa"),
    ]

    @Test("Each subject has a quantum in each round, and pays for use beyond it", arguments: table)
    func order(_ loads: [Load], _ expected: String) {
        var queue = FairQueue<Character, Int>(quantum: 10)
        #expect(served(loads, &queue) == expected)
        #expect(queue.isEmpty && queue.next() == nil)
    }

    @Test("A subject that arrives while others wait is served in the same round, and a debt outlives an empty queue")
    func registrationLimit() {
        var queue = FairQueue<Character, Int>(quantum: 10)
        let (a, b) = (queue.account(of: "a"), queue.account(of: "b"))
        queue.add(1, of: a)
        queue.add(2, of: a)
        #expect(queue.next()?.element == 1)
        queue.charge(55, to: a)
        #expect(!queue.mayUse(a) && queue.mayUse(b))
        queue.add(3, of: b)
        #expect(queue.next()?.element == 3)
        queue.charge(10, to: b)
        // The queue of b was empty, but b has had its turn in this round.
        #expect(!queue.mayUse(b))
        queue.add(4, of: b)
        #expect(queue.next()?.element == 4)
        queue.charge(10, to: b)
        #expect(queue.next()?.element == 2 && queue.mayUse(b))
    }

    @Test("A quiet subject saves no credit, and no debt exceeds its bound")
    func bounds() {
        var queue = FairQueue<Character, Int>(quantum: 10)
        let (a, b) = (queue.account(of: "a"), queue.account(of: "b"))
        queue.charge(.max / 2, to: a)
        queue.add(1, of: a)
        for _ in 0...1000 {
            queue.add(2, of: b)
            #expect(queue.next()?.element == 2)
            queue.charge(10, to: b)
        }
        queue.add(2, of: b)
        #expect(queue.next()?.element == 1 && queue.mayUse(b))
        queue.charge(10, to: b)
        #expect(!queue.mayUse(b))
    }

    @Test("Subjects contend while one of several has a debt, and not when all are quiet")
    func contention() {
        var queue = FairQueue<Character, Int>(quantum: 10)
        let a = queue.account(of: "a")
        queue.charge(25, to: a)
        #expect(!queue.isContended)
        let b = queue.account(of: "b")
        #expect(queue.isContended)
        for _ in 0..<2 {
            queue.charge(10, to: b)
            queue.add(1, of: b)
            #expect(queue.isContended && queue.next()?.element == 1)
        }
        #expect(queue.mayUse(b) && !queue.isContended)
        queue.charge(25, to: a)
        queue.add(1, of: a)
        queue.forgetDebts()
        #expect(queue.isContended && queue.next()?.element == 1)
        queue.charge(50, to: a)
        queue.forgetDebts()
        #expect(!queue.isContended && queue.mayUse(a))
    }

    @Test("A returned element comes before the others of its subject")
    func putBack() {
        var queue = FairQueue<Character, Int>(quantum: 10)
        let account = queue.account(of: "a")
        for element in 1...3 { queue.add(element, of: account) }
        #expect(queue.next()?.element == 1)
        queue.putBack(1, of: account)
        #expect((0..<3).map { _ in queue.next()?.element } == [1, 2, 3])
        queue.putBack(3, of: account)
        #expect(queue.next()?.element == 3 && queue.isEmpty)
    }

    @Test("Accounts of quiet subjects are removed, except those in use or in debt")
    func sweep() {
        var queue = FairQueue<Character, Int>(quantum: 10)
        let held = queue.account(of: "h")
        for subject in "abcdef" { _ = queue.account(of: subject) }
        queue.charge(50, to: queue.account(of: "d"))
        queue.add(1, of: queue.account(of: "w"))
        queue.sweep()
        #expect(queue.accountCount == 3 && queue.account(of: "h") === held)
        #expect(queue.next()?.element == 1 && !queue.mayUse(queue.account(of: "d")))
    }

    @Test("The account of a subject that used a part of its quantum is removed when nothing waits")
    func sweepOfUsed() {
        var queue = FairQueue<Int, Int>(quantum: 10)
        for subject in 0..<100 { queue.charge(3, to: queue.account(of: subject)) }
        queue.sweep()
        #expect(queue.accountCount == 0)
    }

    @Test(
        "Every element is served once, in its subject's order, and no subject waits longer than a round")
    func randomLoads() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var queue = FairQueue<Int, Int>(quantum: 50)
            var next = Array(repeating: 0, count: 8)
            var added = next
            var waited = next
            for _ in 0..<400 {
                let subject = Int.random(in: 0..<8, using: &random)
                if Bool.random(using: &random) {
                    queue.add(added[subject], of: queue.account(of: subject))
                    added[subject] += 1
                }
                guard Int.random(in: 0..<3, using: &random) == 0, let (element, account) = queue.next() else {
                    continue
                }
                #expect(element == next[account.subject])
                next[account.subject] += 1
                queue.charge(50, to: account)
                for other in 0..<8 { waited[other] = next[other] < added[other] ? waited[other] + 1 : 0 }
                waited[account.subject] = 0
                #expect(waited.allSatisfy { $0 < 16 })
            }
            while let (element, account) = queue.next() {
                #expect(element == next[account.subject])
                next[account.subject] += 1
                queue.charge(Int.random(in: 0..<200, using: &random), to: account)
            }
            #expect(next == added)
        }
    }

    @Test("A queue returns its elements in order, and releases them")
    func fifo() {
        final class Thing {}
        var queue = FIFOQueue<(Int, Thing)>()
        weak var first: Thing?
        for number in 0..<300 {
            let thing = Thing()
            if number == 0 { first = thing }
            queue.append((number, thing))
        }
        for number in 0..<200 { #expect(queue.popFirst()?.0 == number) }
        #expect(first == nil && queue.first?.0 == 200)
        queue.prepend((-1, Thing()))
        #expect(queue.popFirst()?.0 == -1)
        for number in 200..<300 { #expect(queue.popFirst()?.0 == number) }
        #expect(queue.isEmpty && queue.popFirst() == nil && queue.first == nil)
    }
}
