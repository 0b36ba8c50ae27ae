import Foundation
import JSON
import Model
import ObservableModels
import Store

@testable import API

/// Open streams of readers, each with a client's copy.
final class OracleStreams {
    private struct Watched {
        let path: String
        let reader: Int
        let stream: OpenStream
        var copy: OracleCopy
    }

    /// A client's copy at a cursor.
    private struct Place {
        let path: String
        let reader: Int
        let cursor: String
        let copy: OracleCopy
    }

    private static let singlesMax = 3
    private static let placesMax = 40
    private let pipeline: TestPipeline
    private var streams: [Watched] = []
    private var places: [Place] = []

    init(_ pipeline: TestPipeline) { self.pipeline = pipeline }

    /// Opens a stream.
    func watch(_ path: String, by reader: Int, as name: String, holding scenario: OracleHistory) throws {
        try receive(for: scenario)
        let stream = try pipeline.open(path, as: name)
        let copy = try OracleCopy(of: path, by: reader, in: scenario)
        streams.append(Watched(path: path, reader: reader, stream: stream, copy: copy))
    }

    func watchMore(by reader: Int, holding scenario: OracleHistory) throws {
        guard streams.count(where: { $0.reader == reader && $0.path.hasPrefix("/v1/") }) < 8 else { return }
        guard let club = scenario.pick(scenario.clubs(of: reader)) else { return }
        var paths = ["?book=\(scenario.books[scenario.pick(0..<3)].id)", "?q=rope", "?kind=question", "?limit=100"]
            .map { "/v1/clubs/\(scenario.clubIDs[club])/notes\($0)" }
        for number in scenario.shown[reader].sorted().suffix(Self.singlesMax)
        where scenario.rules.refusal(reader, number) == nil {
            if scenario.rules.notes[number].club != nil, scenario.shown[reader].contains(number) {
                paths.append("/v1/notes/\(scenario.rules.notes[number].id)")
            }
        }
        guard let path = scenario.pick(paths), !streams.contains(where: { $0.reader == reader && $0.path == path })
        else {
            return
        }
        try receive(for: scenario)
        if path.hasPrefix("/v1/notes/"),
            try scenario.pipeline.send("GET", path, as: scenario.tokens[reader]).status != 200
        {
            return
        }
        try watch(path, by: reader, as: scenario.tokens[reader], holding: scenario)
    }

    /// Ends a reader's streams of a club that they have left, and drops the cursors.
    func leave(_ club: String, by reader: Int) {
        for one in streams where one.reader == reader && (one.path.contains(club) || one.path.hasPrefix("/v1/notes/")) {
            pipeline.pipeline.models.cancel(one.stream.subscription)
        }
        streams.removeAll { $0.reader == reader && ($0.path.contains(club) || $0.path.hasPrefix("/v1/notes/")) }
        places.removeAll { $0.reader == reader }
    }

    /// Delivers committed changes to all streams.
    func receive(for scenario: OracleHistory) throws {
        let changes = pipeline.receive()
        guard !changes.isEmpty else { return }
        let received = try pipeline.frames(of: changes, for: streams.map(\.stream))
        for index in streams.indices {
            for frame in received[index] {
                try scenario.check(frame, received: streams[index].reader, by: streams[index].path, isReplayed: false)
                try streams[index].copy.take(frame, scenario)
            }
        }
        // The stream of a note that was hidden has ended.
        streams.removeAll { $0.path.hasPrefix("/v1/notes/") && $0.copy.values.isEmpty }
    }

    /// Compares the copies of a reader's streams with the lists, and keeps some cursors to resume from later.
    func compare(_ reader: Int, holding scenario: OracleHistory) throws {
        for one in streams where one.reader == reader {
            let now = try OracleCopy(of: one.path, by: reader, in: scenario)
            try one.copy.compare(now, scenario, "\(one.path) streams something else than there is")
            guard scenario.pick(0..<2) == 0 else { continue }
            if places.count >= Self.placesMax { places.remove(at: scenario.pick(0..<places.count)) }
            let cursor = EventID(epoch: pipeline.pipeline.epoch, seq: pipeline.pipeline.models.head)
            places.append(Place(path: one.path, reader: reader, cursor: "\(cursor)", copy: now))
        }
    }

    /// Resumes from a kept cursor, and checks that the copy becomes current.
    func resume(by reader: Int, holding scenario: OracleHistory) throws {
        try receive(for: scenario)
        guard let place = scenario.pick(places.filter { $0.reader == reader }) ?? scenario.pick(places) else { return }
        let reader = place.reader
        if place.path.hasPrefix("/v1/notes/") {
            guard try pipeline.send("GET", place.path, as: scenario.tokens[reader]).status == 200 else { return }
        }
        scenario.resumed += 1
        let path = "\(place.path)\(place.path.contains("?") ? "&" : "?")after=\(place.cursor)"
        let stream = try pipeline.open(path, as: scenario.tokens[reader])
        var copy = place.copy
        let (pipeline, subscription) = (pipeline.pipeline, stream.subscription)
        while subscription.state.cursor < pipeline.models.head {
            let page = try pipeline.reads.read { () throws(RequestError) in try pipeline.next(for: stream) }
            guard case .send(_, let frames, let through) = pipeline.models.sending(page, for: subscription) else {
                break
            }
            for frame in frames {
                try scenario.check(frame, received: reader, by: path, isReplayed: true)
                try copy.take(frame, scenario)
            }
            _ = pipeline.models.delivered(subscription, through: through, .taken)
            if subscription.state.phase == .live { break }
            _ = pipeline.models.wake(subscription)
        }
        // A window sends its current state.
        if subscription.needsSnapshot, subscription.state.phase == .live {
            for frame in try pipeline.renewal(of: stream, urlAt: 0).0 {
                try scenario.check(frame, received: reader, by: path, isReplayed: true)
                try copy.take(frame, scenario)
            }
        }
        pipeline.models.cancel(subscription)
        let now = try OracleCopy(of: place.path, by: reader, in: scenario)
        try copy.compare(now, scenario, "\(scenario.log.named(path)) replays something else than there is")
    }
}
