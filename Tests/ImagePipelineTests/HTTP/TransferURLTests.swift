import StreamsTesting
import Testing

@testable import ImagePipeline

@Suite("URLs of transfers")
struct TransferURLTests {
    private static let texts = Gen<String> { choices in
        let pieces = [
            "a", "b.c", "photos", "1", "07", "0x7f", "127.0.0.1", "1.2.3", "300.1.1.1", "[::1]", ".", "..", "-", "_",
            "~", "%41",
            "%4", "?", "#", "&", "=", "+", ";", "@", ":", ":8080", ":80", ":0", ":070", ":70000", "/", "//", "/.",
            "/../",
            " ", "\\", "ü", "A", "*", "'", "|", "\"", "{", ",", "!", "$", "(",
        ]
        let scheme = choices.element(of: ["http://", "https://", "http://", "HTTP://", "http:/", "ftp://", ""])
        let host = choices.chance(1, of: 3) ? "" : choices.element(of: ["h.example", "localhost", "10.0.0.1"])
        return scheme + host + choices.array(upTo: 6) { $0.element(of: pieces) }.joined()
    }

    @Test("A plain URL is what libcurl reads in it")
    func plain() throws {
        try forAll("plain", Self.texts, cases: 20_000) { text in
            guard let plain = TransferURL(plain: text) else { return }
            let read = try TransferURL(text, base: nil, ports: TransferURL.loaded)
            if read != plain { throw Disproof("\(plain) instead of \(read)") }
        }
    }

    @Test(
        "What most images have is plain, and what another reader may take for something else is not",
        arguments: [
            ("https://img.example.com/a/b_2-1.jpg?w=100&h=2.5", true), ("http://127.0.0.1:8080/a.jpg", true),
            ("http://a/b?c=/.d/../e", true), ("http://a/b/.d?c", false),
            ("http://localhost/", true), ("http://127.1/", false), ("http://1.0x7f/", false), ("http://a@b/", false),
            ("http://a/%2e/", false), ("http://a/./b", false), ("http://a/b#c", false), ("http://a:080/", false),
            ("http://a.example./", false), ("http://a", false), ("http://[::1]/", false), ("http://a/ä", false),
        ])
    func kinds(text: String, isPlain: Bool) {
        #expect((TransferURL(plain: text) != nil) == isPlain)
    }

    @Test(
        "An address with a dot behind it is that address",
        arguments: ["10.0.0.1.", "127.1.", "0x7f.0.0.1.", "2130706433."])
    func addressWithDot(host: String) throws {
        let url = try TransferURL("http://u:p@\(host):8/a?b")
        let address = try #require(url.literalAddress)
        #expect(!address.isPublic)
        #expect(url.text == "http://u:p@\(address):8/a?b")
    }

    @Test(
        "A host is of visible characters, encoded or not",
        arguments: ["%7F", "%20", "%1F", "%80", "%C3%A9%7F", "\u{7F}"])
    func invisible(text: String) {
        #expect(throws: TransportError.self) { try TransferURL("http://a\(text)b/") }
    }

    @Test("A mark that combines with a sign before it hides neither a query nor a space nor a fragment")
    func marks() throws {
        let url = try TransferURL("http://h.example/a?\u{301}b \u{301}c")
        #expect(url.text.lowercased() == "http://h.example/a?%cc%81b%20%cc%81c")
        #expect(try url.resolving("#\u{301}") == url)
    }
}
