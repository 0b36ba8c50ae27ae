import Foundation
import HTTPServer
import Model
import ObservableModels
import SharedByTests
import Store
import Testing

@testable import API

/// Tests that a stream's live events equal the replayed ones.
@Suite("Live and replayed events")
struct LiveAndReplayTests {
    /// A stream of some routes, and the events it received.
    private final class Trial {
        let routes: [String]
        let stream: OpenStream
        let cursor: String
        var live: [String] = []

        init(_ routes: [String], _ stream: OpenStream, cursor: String) {
            (self.routes, self.stream, self.cursor) = (routes, stream, cursor)
        }
    }

    @Test("The same change is the same event live and replayed, for every two watched routes")
    func pairs() throws {
        let world = try WatchableResources()
        let pipeline = world.pipeline
        let routes = Set(Route.all.filter { $0.isWatchable }.map { "\($0.path)" })
        #expect(
            routes == Set(WatchableResources.paths.keys), "\(routes.symmetricDifference(WatchableResources.paths.keys))"
        )
        let paths = WatchableResources.paths.values.sorted().map(world.filled)
        var trials: [UInt64: Trial] = [:]
        for (index, first) in paths.enumerated() {
            // The suite tests some pairs only, because all of them take a while.
            for second in paths[(index + 1)...].prefix(TestBudget.of(9, long: .max)) {
                let (stream, frames) = try pipeline.open(several: [first, second], as: "admin")
                let cursor = try #require(frames.compactMap(Self.id).last)
                #expect(stream.subscription.urls.count == 2, "\([first, second])")
                #expect(!pipeline.pipeline.models.wake(stream.subscription))
                trials[stream.subscription.owner] = Trial([first, second], stream, cursor: cursor)
            }
        }
        for number in WatchableResources.writes.indices {
            try world.write(number)
            let commit = Commit(changes: pipeline.receive())
            for effect in pipeline.pipeline.models.publish(commit) {
                guard case .send(let subscription, let frames, let through) = effect else { continue }
                trials[subscription.owner]?.live += frames.map { String(decoding: $0, as: UTF8.self) }
                #expect(pipeline.pipeline.models.delivered(subscription, through: through, .taken) == .none)
            }
        }
        var (eventCount, differences) = (0, [String]())
        for trial in trials.values {
            // Until views are sent, the ids contain the position of the views.
            let saysViews = trial.stream.subscription.urls.contains { $0.form != .events }
            let received = { (frames: [String]) in
                frames.filter { $0.contains("event: change\n") }.map { saysViews ? Self.withoutID($0) : $0 }
            }
            let (live, replayed) = (received(trial.live), received(try Self.replay(of: trial, at: pipeline)))
            eventCount += live.count
            guard live != replayed else { continue }
            let place = zip(live, replayed).prefix { $0 == $1 }.count
            let (left, right) = (live.dropFirst(place).first ?? "-", replayed.dropFirst(place).first ?? "-")
            differences.append("\(trial.routes) live:\n\(left)replayed:\n\(right)")
        }
        #expect(differences.isEmpty, "\(differences.count), as \(differences.prefix(3).joined(separator: "\n"))")
        #expect(eventCount > trials.count)
    }

    /// Returns the replayed events for a stream that is opened again at its first cursor.
    private static func replay(of trial: Trial, at pipeline: TestPipeline) throws -> [String] {
        let (stream, _) = try pipeline.open(several: trial.routes, after: trial.cursor, as: "admin")
        let models = pipeline.pipeline.models
        defer { models.cancel(stream.subscription) }
        var frames: [[UInt8]] = []
        while models.wake(stream.subscription) {
            let page = try pipeline.pipeline.next(for: stream)
            guard case .send(_, let sent, let through) = models.sending(page, for: stream.subscription) else { break }
            frames += sent
            _ = models.delivered(stream.subscription, through: through, .taken)
        }
        return frames.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func id(_ frame: [UInt8]) -> String? {
        let line = String(decoding: frame, as: UTF8.self).split(separator: "\n").first ?? ""
        return line.hasPrefix("id: ") ? String(line.dropFirst(4)) : nil
    }

    private static func withoutID(_ frame: String) -> String {
        frame.hasPrefix("id: ") ? String(frame.drop { $0 != "\n" }) : frame
    }
}
