import JSON
import Testing

@testable import lectern

@Suite("Lines of a development version's export")
struct DevelopmentLineTests {
    @Test(
        "A note keeps its threshold, and one with a hidden position opens for readers who have finished",
        arguments: [
            (#""club":"c","progress":0.4,"opens":"position","opensAt":0.45"#, 0.45),
            (#""club":null,"progress":0.4,"opens":"position","opensAt":0.45"#, 0.4),
            (#""club":"c","progress":0.4,"opens":"finished","opensAt":1"#, 1),
            (#""club":"c","progress":0.4,"opens":"everyone","opensAt":0"#, 0),
            (#""club":"c","progress":0.4,"isReticent":true,"opensAtUntold":900000"#, 1),
            (#""club":"c","progress":null,"isReticent":true,"opensAtUntold":900000"#, 1),
            (#""club":"c","progress":0.4"#, 0.45), (#""club":"c","progress":0.98"#, 1),
            (#""club":"c","progress":null"#, 0),
        ] as [(String, Double)])
    func shares(_ members: String, _ share: Double) throws {
        let line = try JSONDocument(Array("{\"kind\":\"note\",\(members)}".utf8)).root
        let converted = try JSONDocument(try #require(DevelopmentLine(line)).converted).root
        #expect(converted["share"]?.double == share)
        for left in ["opens", "opensAt", "opensAtUntold", "isReticent"] { #expect(converted[left] == nil, "\(left)") }
    }
}
