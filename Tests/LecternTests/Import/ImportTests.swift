import Bytes
import Foundation
import JSON
import Model
import Testing

@testable import lectern

@Suite("Importing books")
struct ImportTests {
    private static let goodbooks =
        "book_id,goodreads_book_id,work_id,isbn,isbn13,authors,original_publication_year,title"
        + ",language_code,image_url"

    private func book(_ header: String, _ row: [String], source: String? = nil) throws -> (id: String, body: String) {
        let columns = try #require(CSVBookColumns(header: header.components(separatedBy: ",")))
        let source = try CSVRowSource(named: source, form: columns.form, file: "some/books.csv")
        let row = CSVRow(line: 1, fields: row)
        let book = try columns.book(row, of: source)
        return (book.id.description, String(decoding: book.body, as: UTF8.self))
    }

    @Test("A row of goodbooks gives the same book as before, without damage by spreadsheets")
    func goodbooks() throws {
        let row = [
            "1", "2767052", "2792775", "439023483", "9.78043902348e+12", "Suzanne Collins, B", "2008.0",
            "The Hunger Games", "eng", "https://x/nophoto.png",
        ]
        let (id, body) = try book(Self.goodbooks, row)
        #expect(id == CSVBookColumns.id(of: "goodbooks:1").description)
        #expect(id == "c337d243-9f2b-8190-9717-a15d7b2eebab")
        #expect(body.contains("\"isbn\":\"9780439023481\""))
        #expect(body.contains("\"authors\":[\"Suzanne Collins\",\"B\"]") && body.contains("\"publishedYear\":2008"))
        #expect(body.contains("\"language\":\"en\"") && body.contains("\"coverURL\":null"))
        #expect(CSVBookColumns(header: ["isbn"]) == nil)
    }

    @Test("A row of a Goodreads export becomes a book with ISBN, pages and first year, identified by its number")
    func goodreads() throws {
        let header =
            "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,Number of Pages,Year Published,"
            + "Original Publication Year,Exclusive Shelf"
        let rows = try CSVParser.rows(
            Array(
                (header
                    + "\n13496,\"Thrones, #1\",George R.R.  Martin,\"Martin, G\",\"Roy Dotrice, X Y\",=\"0553588486\","
                    + "\"=\"\"9780553588484\"\"\",835,2005,1996,read\n5,Wait,\"Martin Luther King, Jr.\",K,,\"=\"\"\"\"\","
                    + "\"=\"\"\"\"\",0,2000,,read\n").utf8))
        let first = try book(header, rows[1].fields)
        #expect(
            first.body
                == "{\"title\":\"Thrones, #1\",\"authors\":[\"George R.R. Martin\",\"Roy Dotrice\",\"X Y\"],\"isbn\":\"9780553588484\",\"pageCount\":835,\"language\":null,\"publishedYear\":1996,\"coverURL\":null}"
        )
        #expect(first.id == CSVBookColumns.id(of: "goodreads:13496").description)
        let second = try book(header, rows[2].fields)
        #expect(second.body.contains("[\"Martin Luther King, Jr.\"],\"isbn\":null,\"pageCount\":null"))
        #expect(second.body.contains("\"publishedYear\":2000"))
    }

    @Test("A column of additional authors counts in every file")
    func moreAuthors() throws {
        let made = try book("Title,Author,Additional Authors", ["Good Omens", "Terry Pratchett", "Neil Gaiman, X Y"])
        #expect(made.body.contains(#""authors":["Terry Pratchett","Neil Gaiman","X Y"]"#), "\(made.body)")
    }

    @Test("A title without number and ISBN is the same book in any case, and without spaces at its ends")
    func titles() throws {
        let first = try book("title,authors,year", [" Kindred\t ", "Octavia E. Butler ", "1979"])
        #expect(first.body.contains(#""title":"Kindred","authors":["Octavia E. Butler"]"#), "\(first.body)")
        #expect(try book("authors,name", ["OCTAVIA E. BUTLER", "KINDRED"]).id == first.id)
        #expect(try book("authors,name", ["Octavia E. Butler", "Dawn"]).id != first.id)
        #expect(try book("authors,name", ["Somebody", "Kindred"]).id != first.id)
    }

    @Test("The same number is another book in another source")
    func sources() throws {
        let row = ["1", "Mine", "9780439023481"]
        let header = "book_id,title,isbn"
        let ids = [
            try book(header, row).id, try book(header, row, source: "mine").id,
            try book(header, row, source: "other").id,
            try book("title,isbn", Array(row[1...])).id, try book("title,isbn", Array(row[1...]), source: "mine").id,
            try book(Self.goodbooks, ["1", "", "", "", "", "", "", "Mine", "", ""]).id,
        ]
        #expect(Set(ids).count == ids.count)
        #expect(ids[3] == CSVBookColumns.id(of: "isbn:9780439023481").description)
        for name in ["", "isbn", "title", "file", "a:b", "ä", String(repeating: "x", count: 101)] {
            let error = #expect(throws: CommandError.self) { try CSVRowSource(named: name, form: nil, file: "x") }
            #expect(error?.isMisuse == true)
        }
    }

    @Test("No file changes the books of another, or books whose source has no name")
    func strangers() throws {
        let fixture = try ImportFixture()
        let library = Self.goodbooks + "\n1,2767052,2792775,,,S,2008,The Hunger Games,eng,\n"
        #expect(try fixture.load("library.csv", library).out.hasPrefix("1 rows: 1 created"))
        #expect(try fixture.load("diary.csv", "book_id,title\n1,My private diary\n").out.hasPrefix("1 rows: 1 created"))
        // Another file of the same name.
        let other = try fixture.load("other/diary.csv", "book_id,title\n1,A cookbook\n2,Soups\n")
        #expect(
            other.code == 1
                && other.err.contains("diary.csv:2: \"My private diary\" of another file or row has this number"))
        #expect(try fixture.titles() == ["The Hunger Games", "My private diary", "Soups"])
        // Edited values of books that the import created.
        let edited = library.replacingOccurrences(of: ",2008,", with: ",1908,")
        let kept = try fixture.load("library.csv", edited)
        #expect(kept.code == 0 && kept.out.contains("0 updated, 0 unchanged, 1 not changed"))
        #expect(try fixture.load("library.csv", library).out.contains("1 unchanged"))
        #expect(try fixture.load("library.csv", edited, "--source", "goodbooks").out.contains("1 updated"))
        #expect(try fixture.load("other/diary.csv", "book_id,title\n1,Pies\n", "--source", "kitchen").code == 0)
        #expect(try fixture.titles() == ["The Hunger Games", "My private diary", "Soups", "Pies"])
    }

    static let brokenFiles: [(bytes: [UInt8], complaint: String)] = [
        (
            Array("title,pages\nA,1\n\"B,2\nC,3\n".utf8),
            "books.csv:3: a field that starts here has no closing quote"
        ),
        (
            Array("title,pages\nA,1\n\"B\nB\"x,2\nC,3\n".utf8),
            "books.csv:4: there is text after the closing quote of a field (which starts on line 3)"
        ),
        (Array("title,pages\nA,1\n".utf8) + [0x42, 0xE9, 0x0A], "books.csv:3: this is not UTF-8"),
        ([0xFF, 0xFE, 0x74, 0x00], "books.csv:1: this is not UTF-8"),
        (Array("name of it\nA\n".utf8), "the first line must name the columns"),
    ]

    @Test("A file that cannot be read to its end imports nothing, and its line is reported", arguments: brokenFiles)
    func broken(_ row: (bytes: [UInt8], complaint: String)) throws {
        let fixture = try ImportFixture()
        let path = try fixture.write("books.csv", row.bytes)
        let result = try Binary.run(["import", "books", path, "--data", fixture.folder + "/data"])
        #expect(result.code == 1 && result.err.contains(row.complaint), "\(result.err)")
        #expect(try fixture.titles() == [])
    }

    @Test("Every code of ISO 639-2 becomes the shortest tag of its language, and names of languages do too")
    func languages() throws {
        let pairs = Self.codes.split(separator: " ").map { $0.split(separator: "=") }
        #expect(pairs.count == 184 + 20)
        for pair in pairs {
            for written in [pair[0], pair[0].uppercased()[...], pair[1]] {
                let tag = try LanguageCode.tag(of: String(written))
                #expect(tag == String(pair[1]), "\(written)")
            }
        }
        for (written, tag) in [
            ("en-US", "en-US"), ("en_us", "en-us"), ("eng-GB", "en-GB"), ("fil", "fil"), ("mul", "mul"), ("grc", "grc"),
            ("und", nil), ("zxx", nil), ("English", "en"), ("french ", "fr"), ("zh-Hant-TW", "zh-Hant-TW"),
        ] {
            let found = try LanguageCode.tag(of: written)
            #expect(found == tag, "\(written)")
        }
        for written in ["Klingon", "e", "12", "en-", "en--x", "-en", "español de aquí"] {
            #expect(throws: InvalidText.self) { try LanguageCode.tag(of: written) }
        }
    }

    /// The terminological codes with a two-letter code, then the bibliographic ones.
    static let codes = """
        aar=aa abk=ab afr=af aka=ak amh=am ara=ar arg=an asm=as ava=av ave=ae aym=ay aze=az bak=ba bam=bm bel=be \
        ben=bn bih=bh bis=bi bod=bo bos=bs bre=br bul=bg cat=ca ces=cs cha=ch che=ce chu=cu chv=cv cor=kw cos=co \
        cre=cr cym=cy dan=da deu=de div=dv dzo=dz ell=el eng=en epo=eo est=et eus=eu ewe=ee fao=fo fas=fa fij=fj \
        fin=fi fra=fr fry=fy ful=ff gla=gd gle=ga glg=gl glv=gv grn=gn guj=gu hat=ht hau=ha heb=he her=hz hin=hi \
        hmo=ho hrv=hr hun=hu hye=hy ibo=ig ido=io iii=ii iku=iu ile=ie ina=ia ind=id ipk=ik isl=is ita=it jav=jv \
        jpn=ja kal=kl kan=kn kas=ks kat=ka kau=kr kaz=kk khm=km kik=ki kin=rw kir=ky kom=kv kon=kg kor=ko kua=kj \
        kur=ku lao=lo lat=la lav=lv lim=li lin=ln lit=lt ltz=lb lub=lu lug=lg mah=mh mal=ml mar=mr mkd=mk mlg=mg \
        mlt=mt mon=mn mri=mi msa=ms mya=my nau=na nav=nv nbl=nr nde=nd ndo=ng nep=ne nld=nl nno=nn nob=nb nor=no \
        nya=ny oci=oc oji=oj ori=or orm=om oss=os pan=pa pli=pi pol=pl por=pt pus=ps que=qu roh=rm ron=ro run=rn \
        rus=ru sag=sg san=sa sin=si slk=sk slv=sl sme=se smo=sm sna=sn snd=sd som=so sot=st spa=es sqi=sq srd=sc \
        srp=sr ssw=ss sun=su swa=sw swe=sv tah=ty tam=ta tat=tt tel=te tgk=tg tgl=tl tha=th tir=ti ton=to tsn=tn \
        tso=ts tuk=tk tur=tr twi=tw uig=ug ukr=uk urd=ur uzb=uz ven=ve vie=vi vol=vo wln=wa wol=wo xho=xh yid=yi \
        yor=yo zha=za zho=zh zul=zu alb=sq arm=hy baq=eu bur=my chi=zh cze=cs dut=nl fre=fr geo=ka ger=de gre=el \
        ice=is mac=mk mao=mi may=ms per=fa rum=ro slo=sk tib=bo wel=cy
        """
}
