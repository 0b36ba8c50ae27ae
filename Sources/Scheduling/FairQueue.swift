/// A queue in which subjects take turns, however much each of them asks for: deficit round robin with measured costs.
///
/// In each round a subject with waiting elements may use one quantum. The cost of an element is known only after it was served: what a
/// subject used beyond its quantum is a debt, which it pays in the following rounds. A subject saves nothing for later rounds.
public struct FairQueue<Subject: Hashable, Element> {
    /// The waiting elements of a subject, and what the subject may still use.
    public final class Account {
        public let subject: Subject
        // Unchecked: only the queue's own calls change an account, one at a time, as each changes the queue too.
        /// The rest of the quantum as of `round`; a debt if it is not positive.
        @exclusivity(unchecked) @usableFromInline var balance: Int
        @exclusivity(unchecked) @usableFromInline var round: Int
        @exclusivity(unchecked) @usableFromInline var waiting = Fifo<Element>()

        @inlinable
        init(_ subject: Subject, balance: Int, round: Int) {
            (self.subject, self.balance, self.round) = (subject, balance, round)
        }
    }

    /// The largest debt, in quanta: a subject is served again after as many rounds.
    @usableFromInline static var debtMax: Int { 1000 }

    @usableFromInline let quantum: Int
    @usableFromInline var accounts: [Subject: Account] = [:]
    /// The accounts with waiting elements that have their turn in this round.
    @usableFromInline var current = Fifo<Account>()
    /// The accounts with waiting elements that have used their quantum.
    @usableFromInline var expired = Fifo<Account>()
    /// After how many rounds the first of those may be served again.
    @usableFromInline var roundsToNext = Int.max
    @usableFromInline var round = 0
    /// The first round in which no subject is in debt any more.
    @usableFromInline var debtsEnd = 0
    @usableFromInline var elementCount = 0

    /// Creates a queue whose subjects may use `quantum` of the costs' unit in each round.
    @inlinable
    public init(quantum: Int) { self.quantum = max(1, quantum) }

    @inlinable
    public var isEmpty: Bool { elementCount == 0 }

    /// The number of waiting elements.
    @inlinable
    public var count: Int { elementCount }

    /// The number of subjects that have an account.
    @inlinable
    public var accountCount: Int { accounts.count }

    /// The account of a subject.
    @inlinable
    public mutating func account(of subject: Subject) -> Account {
        if let account = accounts[subject] { return account }
        let account = Account(subject, balance: quantum, round: round)
        accounts[subject] = account
        return account
    }

    /// Appends an element to those of a subject.
    @inlinable
    public mutating func add(_ element: Element, of account: Account) {
        enter(account)
        account.waiting.append(element)
    }

    /// Puts an element back in front of the others of its subject.
    @inlinable
    public mutating func putBack(_ element: Element, of account: Account) {
        enter(account)
        account.waiting.prepend(element)
    }

    /// Removes the element whose turn it is. Charge its subject before the next call.
    @inlinable
    public mutating func next() -> (element: Element, account: Account)? {
        guard elementCount > 0 else { return nil }
        while true {
            guard let account = current.first else {
                beginRound()
                continue
            }
            refresh(account)
            if account.balance > 0, let element = account.waiting.popFirst() {
                elementCount -= 1
                if account.waiting.isEmpty { _ = current.popFirst() }
                return (element, account)
            }
            _ = current.popFirst()
            expire(account)
        }
    }

    /// A Boolean value that indicates whether a subject has something left of its quantum.
    @inlinable
    public func mayUse(_ account: Account) -> Bool {
        refresh(account)
        return account.balance > 0
    }

    /// Takes what something has cost from a subject.
    @inlinable
    public mutating func charge(_ cost: Int, to account: Account) {
        refresh(account)
        account.balance = max(account.balance - max(1, cost), -quantum * Self.debtMax)
        if account.balance <= 0 { debtsEnd = max(debtsEnd, round + roundsToServe(account)) }
    }

    /// A Boolean value that indicates whether one of several subjects is in debt.
    @inlinable
    public var isContended: Bool { round < debtsEnd && accounts.count > 1 }

    /// Forgets all debts, when no element waits.
    @inlinable
    public mutating func forgive() {
        guard isEmpty, round < debtsEnd else { return }
        round += Self.debtMax + 1
    }

    /// Forgets the accounts that nobody holds, and that are like new.
    @inlinable
    public mutating func sweep() {
        for subject in Array(accounts.keys) {
            // In its place: a copy of the reference would count as a holder.
            guard accounts[subject] != nil, isKnownUniquelyReferenced(&accounts[subject]!) else { continue }
            if let account = accounts[subject], isLikeNew(account) { accounts[subject] = nil }
        }
    }

    @inlinable
    func isLikeNew(_ account: Account) -> Bool {
        refresh(account)
        return account.waiting.isEmpty && account.balance == quantum
    }

    /// After how many rounds a subject that is in debt may be served again.
    @inlinable
    func roundsToServe(_ account: Account) -> Int { -account.balance / quantum + 1 }

    @inlinable
    mutating func enter(_ account: Account) {
        elementCount += 1
        guard account.waiting.isEmpty else { return }
        refresh(account)
        if account.balance > 0 { current.append(account) } else { expire(account) }
    }

    @inlinable
    mutating func expire(_ account: Account) {
        roundsToNext = min(roundsToNext, roundsToServe(account))
        expired.append(account)
    }

    /// Skips the rounds in which all would only pay their debts.
    @inlinable
    mutating func beginRound() {
        round += roundsToNext
        roundsToNext = .max
        swap(&current, &expired)
    }

    @inlinable
    func refresh(_ account: Account) {
        let missed = round - account.round
        guard missed > 0 else { return }
        account.round = round
        account.balance = missed > Self.debtMax ? quantum : min(quantum, account.balance + missed * quantum)
    }
}
