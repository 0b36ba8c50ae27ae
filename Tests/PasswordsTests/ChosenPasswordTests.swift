import Testing

@testable import Passwords

@Suite("Chosen passwords")
struct ChosenPasswordTests {
    private func refusal(_ text: String) -> String? { ChosenPassword(text)?.refusal }

    @Test("The table of common passwords has those of its source, in order")
    func table() {
        #expect(CommonPasswords.count == 11_611)
        for common in ["password", "trustno1", "sunshine", "1qaz2wsx", "iloveyou", "11234567"] {
            #expect(CommonPasswords.contains(common))
        }
        for other in ["a rope of sand", "correct horse", "remedios", "", "zzzzzzzzzzzz"] {
            #expect(!CommonPasswords.contains(other))
        }
    }

    @Test(
        "Common passwords are refused in any case and width, also repeated",
        arguments: [
            "password", "Password", "PASSWORD", "\u{FF50}assword", "1qaz2wsx", "qwerty123", "passwordpassword",
            "trustno1trustno1trustno1",
        ])
    func common(_ text: String) { #expect(refusal(text)?.contains("common") == true) }

    @Test(
        "Names of the service are refused, also with digits and signs around them",
        arguments: [
            "administrator", "Administrators", "lectern1", "Lectern-2026", "bookclub", "book club!", "moderator99",
        ])
    func service(_ text: String) { #expect(refusal(text)?.contains("service") == true) }

    @Test("A password may contain a word of the service", arguments: ["an oak lectern", "administrator's cat"])
    func beyondService(_ text: String) { #expect(refusal(text) == nil) }

    @Test(
        "Sequences and repetitions are refused, forwards and backwards",
        arguments: [
            "        ", "aaaaaaaaaaaa", "3456789012345", "hgfedcba", "abcdefgh1", "ghjkl6543", "lkjhgfdsa!",
            "tzuiopoiuzt",
            "abcabcabcabc", "x9x9x9x9x9", "1234abcd!", "qwertzuiop", "\u{3042}\u{3042}\u{3042}\u{3042}",
        ])
    func patterns(_ text: String) {
        #expect(refusal(text) != nil)
    }

    @Test(
        "Other passwords are accepted with any characters",
        arguments: [
            "a rope of sand", "correct horse", "remedios!", "Tx7#kqLm", "%&/()=?!", "na\u{EF}vet\u{E9} 12",
            "\u{1F40E}\u{1F50B}\u{1F4CE}\u{1F4DA}\u{1F9F5}", "macondo 1967", "defended",
            "\u{8AAD}\u{66F8}\u{4F1A}\u{6C34}\u{66DC}\u{65E5}",
        ])
    func taken(_ text: String) { #expect(refusal(text) == nil) }

    @Test(
        "A name is refused with digits and signs around it, as one of its words, and repeated",
        arguments: [
            "AdaLovelace", "ada lovelace", "adalovelace1815", "1815!lovelace", "lovelacelovelace", "Tuesdays2026",
        ])
    func names(_ text: String) throws {
        let password = try #require(ChosenPassword(text))
        #expect(password.matchesName(["Ada Lovelace", "Tuesdays"]) && !password.matchesName(["Ben", "", "1815"]))
    }

    @Test("A password may contain a name", arguments: ["lovelace sews well", "%&/()=?!", "no tuesdays here"])
    func containing(_ text: String) throws {
        #expect(try #require(ChosenPassword(text)).matchesName(["Ada Lovelace", "Tuesdays", "", "%"]) == false)
    }
}
