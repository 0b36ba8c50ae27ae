import JSON
import Model
import Testing

@testable import Store

/// What its readers know without having read it here.
extension GateHouse {
    mutating func know(_ reader: Int) throws {
        let all = StoryRules.whole
        var (body, spot) = ("{}", StoryRules.Spot(share: all, frame: .unsaid, most: all * 1000, floor: 0, ceiling: nil))
        var said: StoryRules.Said?
        switch Int.random(in: 0..<6, using: &random) {
        case 0: break
        case 1 where !rules.begins.isEmpty:
            // A chapter is known to its end.
            let chapter = rules.begins.indices.randomElement(using: &random) ?? 0
            body = "{\"through\":{\"chapter\":\(chapter + 1)}}"
            spot = rules.spot(.chapter(chapter, StoryRules.whole))
        default:
            let place = say(reader)
            let at = place.json.hasPrefix("\"at\":") ? String(place.json.dropFirst(5)) : "{\(place.json)}"
            (body, spot, said) = ("{\"through\":\(at)}", rules.spot(place.said), place.said)
        }
        let command = Command.putKnowledge(of: book, try KnowledgeDraft(json(body)))
        // What is said again means what it meant.
        if try shop.run(command.by(viewers[reader])).effect != .unchanged {
            knowledge[reader] = spot
            rules.believe(said)
        }
    }

    mutating func forget(_ reader: Int) throws {
        let command = Command.deleteKnowledge(of: book).by(viewers[reader])
        guard knowledge[reader] != nil else {
            #expect(throws: LecternError.notFound) { try shop.run(command) }
            return
        }
        try shop.run(command)
        knowledge[reader] = nil
    }

    mutating func changeHindsight() throws {
        isHindsightKnown.toggle()
        let body = "{\"hindsight\":\"\(isHindsightKnown ? "known" : "place")\"}"
        try shop.run(Command.patchClub(club, ClubPatch(json(body), form: .patch)).by(viewers[0]))
    }

    /// Where a note opens, by what its author knows beforehand.
    mutating func inHindsight(_ opening: StoryRules.Opening, of author: Int) -> StoryRules.Opening {
        guard isHindsightKnown else { return opening }
        var known = knowledge[author].map { rules.opening(known: $0) }
        if isFinished[author] || known?.share == StoryRules.whole && knowledge[author]?.share == StoryRules.whole {
            known = .finished
        }
        guard let known, known.share > opening.nearest else { return opening }
        let later = StoryRules.reply(opening, to: known)
        if later.share > opening.share { withheld += 1 }
        return later
    }
}
