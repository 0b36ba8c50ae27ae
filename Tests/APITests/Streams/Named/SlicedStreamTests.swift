import Foundation
import JSON
import Model
import ObservableModels
import SharedByTests
import Testing

@testable import API
@testable import Store

/// Tests of streams whose names begin in several turns, without sockets.
@Suite("Streams that begin in slices")
struct SlicedStreamTests {
    /// A reading, and turns that end as soon as one name has begun.
    private struct Scenario {
        let pipeline: TestPipeline
        let reading: String
        let names: [String]

        init() throws {
            pipeline = try TestPipeline()
            try pipeline.enter("ada")
            let book = try pipeline.make("/v1/books", #"{"title":"Emma","pageCount":400}"#, as: "ada")
            reading = try pipeline.make("/v1/readings", "{\"book\":\"\(book)\"}", as: "ada")
            names = ["/v1/readings/\(reading)", "/v1/readings", "/v1/readings/\(reading)/entries", "/v1/cards"]
            _ = pipeline.receive()
            pipeline.pipeline.turnMax = .zero
        }

        func record(_ page: Int) throws {
            _ = try pipeline.make("/v1/readings/\(reading)/entries", "{\"page\":\(page)}", as: "ada")
            let commit = Commit(changes: pipeline.receive())
            for effect in pipeline.pipeline.models.publish(commit) {
                if case .send(_, let frames, _) = effect { #expect(frames.isEmpty) }
            }
        }

        /// Returns the frames of a stream until it is live.
        func rest(of stream: OpenStream) throws -> [[UInt8]] {
            var frames: [[UInt8]] = []
            while pipeline.pipeline.models.wake(stream.subscription, hasPendingWork: stream.hasPendingWork) {
                let page = try pipeline.pipeline.next(for: stream)
                guard
                    case .send(_, let sent, let through) = pipeline.pipeline.models.sending(
                        page, for: stream.subscription)
                else { break }
                frames += sent
                _ = pipeline.pipeline.models.delivered(stream.subscription, through: through, .taken)
            }
            return frames
        }
    }

    /// Returns each frame as its name, the pages or entries in it, and its names.
    private func received(_ frames: [[UInt8]]) -> [String] {
        frames.compactMap { frame -> String? in
            let name = TestPipeline.name(of: frame)
            guard ["change", "snapshot"].contains(name),
                let data = try? JSONDocument(Array(EventFrame.data(of: frame))).root
            else { return nil }
            let names =
                data["for"]?.elements.map { "\($0["name"]?.string ?? "") \($0["event"]?.string ?? "")" }
                ?? [data["name"]?.string ?? ""]
            let value = data["value"]
            let items = value?["items"].map { $0.elements.map { $0 } }
            let pages = (items ?? [value].compactMap { $0 }).map { $0["page"]?.integer ?? 0 }
            return "\(name) \(names.joined(separator: ", ")): \(pages)"
        }
    }

    @Test("A commit between the beginnings of two names is an event for the first and part of the second's snapshot")
    func commits() throws {
        let scenario = try Scenario()
        let (one, list, entries, cards) = (scenario.names[0], scenario.names[1], scenario.names[2], scenario.names[3])
        var page = 0
        let (stream, first) = try scenario.pipeline.open(several: scenario.names, as: "ada") {
            page += 10
            try scenario.record(page)
            let isReading = scenario.pipeline.pipeline.reads.db.isInTransaction
            #expect(!isReading)
        }
        #expect(page == 30)
        #expect(
            received(first) == [
                "snapshot \(one): [0]", "snapshot \(list): [10]", "snapshot \(entries): [20, 10]",
                "snapshot \(cards): [30]",
            ])
        // No id precedes that of the last snapshot: a client that disconnects earlier starts again.
        #expect(!first.contains { $0.starts(with: Array("id: ".utf8)) })
        let rest = try scenario.rest(of: stream)
        #expect(
            received(rest) == [
                "change \(one) updated: [10]", "change \(one) updated, \(list) updated: [20]",
                "change \(entries) enter: [30]", "change \(one) updated, \(list) updated: [30]",
            ])
        let ids = rest.filter { $0.starts(with: Array("id: ".utf8)) }
        #expect(ids.count == 1 && rest.last == ids.first)
        #expect(stream.subscription.state.phase == .live)
    }

    @Test("A stream of 30 names begins one in each turn without time, and all in a turn with enough")
    func turns() throws {
        let scenario = try Scenario()
        let names = (0..<30).map { "/v1/readings?q=\($0)" }
        var turns = 1
        let (stream, frames) = try scenario.pipeline.open(several: names, as: "ada") { turns += 1 }
        #expect(turns == 30 && frames.count == 31 && stream.subscription.urls.count == 30)
        #expect(frames.last.map { $0.starts(with: Array("id: ".utf8)) } ?? false)
        scenario.pipeline.pipeline.turnMax = .seconds(3600)
        turns = 1
        let (other, _) = try scenario.pipeline.open(several: names, as: "ada") { turns += 1 }
        #expect(turns == 1 && other.subscription.urls.count == 30)
    }
}
