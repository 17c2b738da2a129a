import StreamsTesting
import Testing

@testable import ImagePipeline

@Suite("Heads line by line")
struct HeadParserTests {
    /// A field as it is written, over one line or several.
    private struct Written: Sendable {
        var name: String
        /// The text of each line, and the spaces around it.
        var lines: [(before: String, text: String, after: String)]

        var value: String { lines.map(\.text).filter { !$0.isEmpty }.joined(separator: " ") }

        func wire(_ end: String) -> [String] {
            lines.enumerated().map { index, line in
                // A fold begins with a space.
                (index == 0 ? "\(name):" : " ") + line.before + line.text + line.after + end
            }
        }
    }

    private struct Exchange: Sendable {
        var heads: [[Written]]
        var trailers: [Written]
        var end: String
    }

    private static let exchanges = Gen<Exchange> { choices in
        let names = ["A", "content-length", "X-Long-Name", "Location", "ETag", "HTTP/x", "a b", "Name "]
        let texts = ["", "a", "a b", "a: b", "HTTP/1.1 200", ":", "\"x,  y\"", "ü", "5", "a=b; c"]
        let spaces = ["", " ", "\t", " \t  "]
        func fields(_ choices: inout Choices) -> [Written] {
            choices.array(upTo: 4) { choices in
                var lines = choices.array(upTo: 3) { choices in
                    (choices.element(of: spaces), choices.element(of: texts), choices.element(of: spaces))
                }
                if lines.isEmpty { lines = [("", "", "")] }
                return Written(name: choices.element(of: names), lines: lines)
            }
        }
        let heads = choices.array(upTo: 3) { fields(&$0) }
        return Exchange(
            heads: heads + [fields(&choices)], trailers: fields(&choices),
            end: choices.element(of: ["\r\n", "\n"]))
    }

    private static func append(_ line: String, to parser: inout HeadParser, isTrailer: Bool = false) -> Bool {
        Array(line.utf8).withUnsafeBytes { parser.append($0, isTrailer: isTrailer) }
    }

    @Test("The fields are those of the last head, however they are spaced and folded; a trailer adds its size alone")
    func fields() throws {
        try forAll("heads", Self.exchanges, cases: 4_000, describe: { "\($0)" }) { exchange in
            var parser = HeadParser()
            var count = 0
            for head in exchange.heads {
                let lines = ["HTTP/1.1 200 a: b\(exchange.end)"] + head.flatMap { $0.wire(exchange.end) }
                for line in lines + [exchange.end] {
                    count += line.utf8.count
                    if Self.append(line, to: &parser) != (line == exchange.end) { throw Disproof("ends at \(line)") }
                }
            }
            for line in exchange.trailers.flatMap({ $0.wire(exchange.end) }) + [exchange.end] {
                count += line.utf8.count
                if Self.append(line, to: &parser, isTrailer: true) { throw Disproof("a trailer ends the head") }
            }
            // A space in front of the colon is none of the name.
            let expected = exchange.heads.last?.map { [$0.name == "Name " ? "Name" : $0.name, $0.value] } ?? []
            let found = parser.fields.map { [$0.name, $0.value] }
            if found != expected { throw Disproof("\(found) instead of \(expected)") }
            if parser.byteCount != count { throw Disproof("\(parser.byteCount) bytes of \(count)") }
        }
    }

    @Test(
        "A line that begins with a carriage return ends a head, as for libcurl",
        arguments: ["\rX", "\r ", "\r\rX: y"])
    func carriageReturn(line: String) {
        var parser = HeadParser()
        for line in ["HTTP/1.1 200 OK\r\n", "A: b\r\n"] { #expect(!Self.append(line, to: &parser)) }
        #expect(Self.append(line + "\n", to: &parser))
        #expect(parser.fields.map(\.name) == ["A"])
        #expect(parser.framingProblem == "a line of the head begins with a carriage return")
        #expect(!Self.append("HTTP/1.1 204 No Content\r\n", to: &parser))
        #expect(parser.fields.isEmpty)
        #expect(parser.framingProblem == nil)
    }

    @Test(
        "A status is three digits behind the version, and there is none where a head begins with something else",
        arguments: [
            ("HTTP/1.1 200 OK", 200), ("HTTP/2 404 ", 404), ("HTTP/1.0 299", 299), ("HTTP/1.1   500 X", 500),
            ("http/1.1 404 Not Found", nil), ("HTTP/1.1404 Not Found", nil), ("HTTP/1.1 40 X", nil),
            ("HTTP/1.1 4040 X", nil), ("HTTP/1.1 x", nil), ("A: b", nil),
        ] as [(String, Int?)])
    func status(line: String, status: Int?) {
        var parser = HeadParser()
        for line in ["HTTP/1.1 103 Early Hints", ""] { _ = Self.append(line + "\r\n", to: &parser) }
        #expect(parser.status == 103)
        for line in [line, "B: 1", ""] { _ = Self.append(line + "\r\n", to: &parser) }
        #expect(parser.status == status)
    }

    @Test("A fold in front of all fields belongs to none")
    func firstFold() {
        var parser = HeadParser()
        for line in ["HTTP/1.1 200 OK\r\n", " X: y\r\n", "A: b\r\n"] { #expect(!Self.append(line, to: &parser)) }
        #expect(parser.fields.map(\.name) == ["A"])
        #expect(parser.values("a") == ["b"])
    }

    @Test(
        "Several lengths are one if all say the same number, in digits alone that a number can have",
        arguments: [
            ([], true), (["5"], true), (["5", "5"], true), (["5", "5, 5"], true), (["5", "6"], false),
            (["5", "05"], false), (["5", ""], false), (["5, 6"], false), ([""], false), (["-5"], false),
            (["+5"], false), (["0x5"], false), (["5", "x"], false), (["x", "x"], false), (["5 "], true),
            (["9223372036854775807"], true), (["9223372036854775808"], false), (["٥"], false), (["5;"], false),
        ] as [([String], Bool)])
    func lengths(values: [String], isSound: Bool) {
        var parser = HeadParser()
        for line in ["HTTP/1.1 200 OK\r\n"] + values.map({ "Content-Length: \($0)\r\n" }) + ["\r\n"] {
            #expect(Self.append(line, to: &parser) == (line == "\r\n"))
        }
        #expect((parser.framingProblem == nil) == isSound, "\(parser.framingProblem ?? "none")")
    }

    @Test(
        "Bytes that are no text are replaced, but for those of a target, which are encoded",
        arguments: [("X", "a\u{FFFD}"), ("Location", "a%E9"), ("LOCATION", "a%E9"), ("Content-Location", "a\u{FFFD}")])
    func bytes(name: String, value: String) {
        var parser = HeadParser()
        for line in [Array("HTTP/1.1 302 Found\r\n".utf8), Array("\(name): a".utf8) + [0xE9, 13, 10]] {
            let isEnd = line.withUnsafeBytes { parser.append($0) }
            #expect(!isEnd)
        }
        #expect(parser.fields.map(\.value) == [value])
    }

    @Test(
        "A field that says where the body ends is refused where it is written so that libcurl misses it",
        arguments: [
            (["Content-Length: 2"], true), (["Content-Length : 2"], false), (["content-length\t: 2"], false),
            (["Content-Length:", " 2"], false), (["Content-Length: 2", " "], false),
            (["Transfer-Encoding: chunked"], true), (["Transfer-Encoding : chunked"], false),
            (["Transfer-Encoding:", "\tchunked"], false), (["A : b", "B:", " c", "Content-Length: 2"], true),
            ([": b", ":", "Content-Length: 2"], true), (["Transfer-Encoding:\rchunked"], false),
            (["Transfer-Encoding: \r\tchunked"], false), (["Content-Length: 2\r x"], false),
            (["A:\rb", "Content-Length: 2"], true),
        ])
    func unseenFraming(lines: [String], isSound: Bool) {
        var parser = HeadParser()
        for line in ["HTTP/1.1 200 OK"] + lines + [""] { _ = Self.append(line + "\r\n", to: &parser) }
        #expect((parser.framingProblem == nil) == isSound, "\(parser.framingProblem ?? "none")")
        // What another head says is another one's.
        for line in ["HTTP/1.1 200 OK", "Content-Length: 2", ""] { _ = Self.append(line + "\r\n", to: &parser) }
        #expect(parser.framingProblem == nil)
    }

    @Test(
        "A coding of the transfer takes the place of a length, also one that is not named",
        arguments: ["", " ", ",", ", ,"])
    func unnamedCoding(value: String) {
        var parser = HeadParser()
        for line in ["HTTP/1.1 200 OK", "Content-Length: 9", "Transfer-Encoding:\(value)", ""] {
            _ = Self.append(line + "\r\n", to: &parser)
        }
        #expect(!parser.isDelimited)
    }

    @Test(
        "From HTTP/2 on nothing but a length tells that a body was cut short",
        arguments: ["HTTP/2", "HTTP/3"],
        [("A: b", false), ("Transfer-Encoding: chunked", false), ("Content-Length: 9", true)])
    func frames(version: String, field: (line: String, isDelimited: Bool)) {
        var parser = HeadParser()
        for line in ["\(version) 200 OK", field.line, ""] { _ = Self.append(line + "\r\n", to: &parser) }
        #expect(parser.isDelimited == field.isDelimited)
    }

    @Test(
        "Only the letters of ASCII have another case in a coding",
        arguments: [("CHUNKED", nil), ("chun\u{212A}ed", "chun\u{212A}ed"), ("Gzip, Chunked", "gzip, chunked")])
    func codings(written: String, unknown: String?) {
        var parser = HeadParser()
        for line in ["HTTP/1.1 200 OK", "Transfer-Encoding: \(written)", ""] {
            _ = Self.append(line + "\r\n", to: &parser)
        }
        #expect(parser.unknownTransferCoding == unknown)
        #expect(parser.isDelimited == (unknown == nil || unknown?.hasSuffix("chunked") == true))
    }
}
