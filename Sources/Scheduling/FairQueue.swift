/// A queue in which subjects take turns, however many elements each has: deficit round robin with measured costs.
///
/// In each round a subject with waiting elements may use one quantum. The cost of an element is known only after it was
/// served. Use beyond the quantum is a debt, which the subject pays in the following rounds. An unused quantum does not
/// carry over.
public struct FairQueue<Subject: Hashable, Element> {
    /// The waiting elements of a subject, and its balance.
    public final class Account {
        public let subject: Subject
        // Exclusivity is unchecked because only the queue's own calls change an account, one at a time, and each
        // changes the queue too.
        /// The rest of the quantum as of `round`, or a debt if it is not positive.
        @exclusivity(unchecked) @usableFromInline var balance: Int
        @exclusivity(unchecked) @usableFromInline var round: Int
        @exclusivity(unchecked) @usableFromInline var waiting = FIFOQueue<Element>()

        @inlinable
        init(_ subject: Subject, balance: Int, round: Int) {
            (self.subject, self.balance, self.round) = (subject, balance, round)
        }
    }

    /// The largest debt, in quanta. A subject is served again after at most as many rounds.
    @usableFromInline static var debtMax: Int { 1000 }

    @usableFromInline let quantum: Int
    @usableFromInline var accounts: [Subject: Account] = [:]
    /// The accounts with waiting elements that have their turn in this round.
    @usableFromInline var current = FIFOQueue<Account>()
    /// The accounts with waiting elements that have used their quantum.
    @usableFromInline var expired = FIFOQueue<Account>()
    /// The number of rounds after which the first of the expired accounts may be served again.
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

    /// The number of subjects with an account.
    @inlinable
    public var accountCount: Int { accounts.count }

    /// Returns the account of a subject, creating it if needed.
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

    /// Puts an element back before its subject's other elements.
    @inlinable
    public mutating func putBack(_ element: Element, of account: Account) {
        enter(account)
        account.waiting.prepend(element)
    }

    /// Removes and returns the element whose turn it is. Charge its subject before the next call.
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

    /// Returns whether a subject has quantum left.
    @inlinable
    public func mayUse(_ account: Account) -> Bool {
        refresh(account)
        return account.balance > 0
    }

    /// Charges a subject for a cost.
    @inlinable
    public mutating func charge(_ cost: Int, to account: Account) {
        refresh(account)
        account.balance = max(account.balance - max(1, cost), -quantum * Self.debtMax)
        if account.balance <= 0 { debtsEnd = max(debtsEnd, round + roundsToServe(account)) }
    }

    /// A Boolean value indicating whether one of several subjects is in debt.
    @inlinable
    public var isContended: Bool { round < debtsEnd && accounts.count > 1 }

    /// Forgives all debts if no element waits.
    @inlinable
    public mutating func forgetDebts() {
        guard isEmpty, round < debtsEnd else { return }
        round += Self.debtMax + 1
    }

    /// Removes accounts without other references whose state equals a new account's.
    @inlinable
    public mutating func sweep() {
        // The round ends, because no subject waits.
        if isEmpty { round += 1 }
        for subject in Array(accounts.keys) {
            // Accessed in place: a copy of the reference would count as a holder.
            guard accounts[subject] != nil, isKnownUniquelyReferenced(&accounts[subject]!) else { continue }
            if let account = accounts[subject], isLikeNew(account) { accounts[subject] = nil }
        }
    }

    @inlinable
    func isLikeNew(_ account: Account) -> Bool {
        refresh(account)
        return account.waiting.isEmpty && account.balance == quantum
    }

    /// Returns the number of rounds after which a subject in debt may be served again.
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

    /// Begins the next round in which a subject can be served, and skips the rounds that would only pay debts.
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
