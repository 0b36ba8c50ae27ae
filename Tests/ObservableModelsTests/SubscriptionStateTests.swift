import Testing

@testable import ObservableModels

@Suite("The state of a subscription")
struct SubscriptionStateTests {
    typealias Phase = SubscriptionPhase
    typealias Action = SubscriptionState.Action

    /// A state, named by its history. All have the cursor 4 and have received the commits up to 6, unless the name says
    /// more.
    enum Start: CaseIterable {
        case replaying, replayingWithinChange, live, liveMissed, liveOver, parked, ended

        var state: SubscriptionState {
            var state = SubscriptionState(cursor: 4, resourcesSent: self == .replayingWithinChange ? 2 : 0)
            let events: [SubscriptionStateInput] =
                switch self {
                case .replaying, .replayingWithinChange: []
                case .live: [.woken(head: 4)]
                case .liveMissed: [.woken(head: 4), .missed(6)]
                case .liveOver: [.woken(head: 4), .over]
                case .parked: [.given(through: 4, .kept)]
                case .ended: [.cancelled]
                }
            for event in events { _ = state.take(event) }
            return state
        }
    }

    static let events: [SubscriptionStateInput] = [
        .woken(head: 4), .woken(head: 6), .read(through: 5, head: 6), .read(through: 6, head: 6), .missed(6), .over,
        .given(through: 6, .taken), .given(through: 6, .kept), .given(through: 6, .gone), .cancelled,
    ]

    /// The phase, cursor and action after each event, and further flags: `+sent`, `missed`, `over`. A row for each
    /// start, a column for each event.
    static let table: [Start: [String]] = [
        .replaying: [
            "live 4 none", "replaying 4 readLog", "replaying 5 none", "live 6 none", "replaying 4 none",
            "replaying 4 none over", "replaying 4 readLog", "parked 6 none", "ended 4 none", "ended 4 none",
        ],
        .replayingWithinChange: [
            "live 4 none +sent", "replaying 4 readLog +sent", "replaying 5 none", "live 6 none",
            "replaying 4 none +sent", "replaying 4 none +sent over", "replaying 4 readLog +sent", "parked 6 none",
            "ended 4 none +sent", "ended 4 none +sent",
        ],
        .live: [
            "live 4 none", "live 4 none", "live 4 none", "live 4 none", "live 4 none missed", "live 4 none over",
            "live 4 none", "parked 6 none", "ended 4 none", "ended 4 none",
        ],
        .liveMissed: [
            "live 4 none missed", "live 4 none missed", "live 4 none missed", "live 4 none missed",
            "live 4 none missed", "live 4 none over", "parked 5 readLog", "parked 6 none",
            "ended 4 none missed", "ended 4 none missed",
        ],
        .liveOver: [
            "live 4 none over", "live 4 none over", "live 4 none over", "live 4 none over", "live 4 none over",
            "live 4 none over", "ended 4 end over", "ended 6 end over", "ended 4 none over", "ended 4 none over",
        ],
        .parked: [
            "live 4 none", "replaying 4 readLog", "parked 4 none", "parked 4 none", "parked 4 none",
            "parked 4 none over", "parked 4 none", "parked 6 none", "ended 4 none", "ended 4 none",
        ],
        .ended: Array(repeating: "ended 4 none", count: 10),
    ]

    private func text(_ state: SubscriptionState, _ action: Action) -> String {
        var words = ["\(state.phase)", "\(state.cursor)", "\(action)"]
        if state.resourcesSent > 0 { words.append("+sent") }
        if state.missedFrom != nil { words.append("missed") }
        if state.isOver { words.append("over") }
        return words.joined(separator: " ")
    }

    @Test("Every state handles every event as the table says", arguments: Start.allCases)
    func transitions(_ start: Start) throws {
        let row = try #require(Self.table[start])
        #expect(row.count == Self.events.count)
        for (event, expected) in zip(Self.events, row) {
            var state = start.state
            let action = state.take(event)
            #expect(text(state, action) == expected, "\(start), \(event)")
        }
    }

    @Test("A subscription that received part of a change, missed one or has ended gets no more events of it")
    func hearing() {
        #expect(Start.live.state.receives(5) && !Start.live.state.receives(4))
        #expect(!Start.liveMissed.state.receives(7) && !Start.liveOver.state.receives(7))
    }
}
