import Testing

@Suite("The public interface")
struct PublicInterfaceTests {
    @Test("Every operator that a user of Combine or Rx looks for is there")
    func operators() throws {
        let names = Set(try PublicSource().members.map(\.name))
        for wanted in PublicNames.words(PublicNames.combineOperators) + PublicNames.words(PublicNames.furtherOperators)
        {
            #expect(names.contains(wanted), "\(wanted) is missing")
        }
    }

    @Test("Every type that a user of Combine looks for is there")
    func types() throws {
        let types = try PublicSource().types
        for wanted in PublicNames.words(PublicNames.types) {
            #expect(types.contains(wanted), "\(wanted) is missing")
        }
    }

    @Test("Every operator says with a diagram what it does, and what becomes of demand, failure and thread")
    func comments() throws {
        // What ends a stream of operators, or is part of a protocol, is no operator.
        let others: Set = [
            "sink", "assign", "eraseToAnyPublisher", "values", "firstValue", "lastValue", "collected", "connect",
            "next",
            "makeAsyncIterator",
        ]
        var operators: [String: [String]] = [:]
        for member in try PublicSource().members
        where ["Publisher", "ConnectablePublisher"].contains(member.container) && !others.contains(member.name) {
            if ["receive", "subscribe"].contains(member.name),
                !["ReceiveOn.swift", "SubscribeOn.swift"].contains(member.file)
            {
                continue
            }
            #expect(!member.comment.isEmpty, "\(member.file):\(member.line) \(member.name): no comment")
            operators[member.name, default: []].append(member.comment.joined(separator: "\n"))
        }
        // One overload says it for all of them.
        for (name, comments) in operators {
            let comment = comments.max { $0.count < $1.count } ?? ""
            #expect(
                comment.contains("|") || comment.contains("✕") || comment.contains("--"),
                "\(name): no diagram (swift run marbles)")
            for word in ["demand", "failure", "thread"] {
                #expect(comment.lowercased().contains(word), "\(name): nothing about \(word)")
            }
        }
    }

    @Test("Every type that an article links to is public")
    func articles() throws {
        let types = try PublicSource().types
        for (article, name) in try PublicSource.articleLinks() where !["Streams", "Swift"].contains(name) {
            #expect(types.contains(name), "\(article) names \(name)")
        }
    }
}
