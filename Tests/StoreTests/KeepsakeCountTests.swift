import Testing

@testable import Store

@Suite("Counts of what is kept")
struct KeepsakeCountTests {
    @Test("They are counted once a transaction, whatever comes and is taken back in between")
    func once() throws {
        let counts = KeepsakeCounts()
        var asked = 0
        func count(_ there: Int64 = 10) throws -> Int64 {
            try counts.count(ofReader: 7) { () throws(SQLiteError) in
                asked += 1
                return there
            }
        }
        #expect(try count() == 10)
        for number in 1...3 {
            counts.add(ofReader: 7)
            #expect(try count() == 10 + Int64(number))
            let mark = counts.mark
            counts.add(ofReader: 7)
            counts.add(ofReader: 8)
            counts.rewind(to: mark)
            #expect(try count() == 10 + Int64(number))
        }
        #expect(asked == 1)
        counts.forget()
        #expect(try count(20) == 20 && asked == 2)
    }

    @Test("What was kept before the counting, and is taken back, is not counted")
    func before() throws {
        let counts = KeepsakeCounts()
        let mark = counts.mark
        counts.add(ofReader: 7)
        #expect(try counts.count(ofReader: 7) { () throws(SQLiteError) in 11 } == 11)
        counts.rewind(to: mark)
        #expect(try counts.count(ofReader: 7) { () throws(SQLiteError) in 0 } == 10)
    }
}
