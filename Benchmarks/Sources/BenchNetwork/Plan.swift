/// The cases that are run, the rounds of each, and the peers beside whom.
struct Plan {
    /// One kind of load.
    struct Case {
        let bodyBytes: Int
        let count: Int
        let atOnce: Int
        let way: Way

        var name: String { "\(count) × \(bodyBytes / 1_000) KB, \(atOnce) at once, \(way.rawValue)" }
        var path: String { "/\(bodyBytes)" }
    }

    /// A way to speak HTTP.
    enum Way: String, CaseIterable {
        case plain, tls = "TLS", http2 = "HTTP/2"
    }

    private(set) var peers: [(name: String, program: String)] = []
    private(set) var isQuick = false
    private var words: [String] = []

    /// - Parameter options: The words behind the programs and paths; nil where one makes no sense.
    init?(_ options: [String]) {
        var rest = options[...]
        while let option = rest.popFirst() {
            switch option {
            case "--quick": isQuick = true
            case "--peer":
                guard let parts = rest.popFirst()?.split(separator: "=", maxSplits: 1), parts.count == 2 else {
                    return nil
                }
                peers.append((String(parts[0]), String(parts[1])))
            default: words.append(option)
            }
        }
    }

    var rounds: Int { isQuick ? 1 : 3 }

    var cases: [Case] {
        Way.allCases.flatMap { way in
            [(800_000, 1_000), (12_000, 10_000)].flatMap { bytes, count in
                (isQuick ? [6] : [1, 6, 32]).map { atOnce in
                    Case(bodyBytes: bytes, count: isQuick ? count / 4 : count, atOnce: atOnce, way: way)
                }
            }
        }
        .filter { entry in words.allSatisfy { entry.name.contains($0) } }
    }
}
