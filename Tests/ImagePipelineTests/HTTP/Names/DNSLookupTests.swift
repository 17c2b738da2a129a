import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Lookups over DNS, step by step")
struct DNSLookupTests {
    /// The lookups of one test, whose time and servers it decides.
    private struct Bench {
        var lookups = DNSLookups()
        var services = NameServices(resolver: "nameserver 192.0.2.1\nnameserver 192.0.2.2\n", switching: "")
        let start = ContinuousClock.now
        var milliseconds = 0

        var now: ContinuousClock.Instant { start + .milliseconds(milliseconds) }

        /// The questions sent since the last call: the name, and the number of its server.
        var sent: [String] {
            mutating get { questions().map { "\(DNSAnswer.name(in: $0.bytes)) \(number(of: $0.server))" } }
        }

        mutating func questions() -> [(server: NameServices.Server, bytes: [UInt8])] { lookups.takePackets() }

        private func number(of server: NameServices.Server) -> UInt8 { server.address.bytes[3] }

        mutating func begin(_ host: String, key: Int = 1) {
            lookups.start(key, host, with: services, at: now)
        }

        mutating func pass(_ milliseconds: Int) {
            self.milliseconds += milliseconds
            lookups.advance(to: now)
        }

        /// Answers what was sent since the last time.
        mutating func answer(_ addresses: String..., code: UInt8 = 0) {
            for (server, bytes) in questions() {
                lookups.receive(DNSAnswer.bytes(to: bytes, addresses, code: code), from: server, at: now)
            }
        }

        var outcome: DNSLookups.Outcome? {
            mutating get { lookups.takeOutcomes().first?.outcome }
        }
    }

    private func addresses(_ texts: String...) -> DNSLookups.Outcome { .found(texts.compactMap { IPAddress($0) }) }

    @Test("Both kinds of addresses are asked for at once, and found those of version 6 first")
    func both() {
        var bench = Bench()
        bench.begin("a.example")
        bench.answer("192.0.2.9", "2001:db8::9", "192.0.2.10")
        #expect(bench.outcome == addresses("2001:db8::9", "192.0.2.9", "192.0.2.10"))
        #expect(bench.lookups.isEmpty)
        #expect(bench.lookups.nextDeadline == nil)
    }

    @Test("Silent servers are asked in turn, ever more slowly, until the time is over; then it is said so")
    func silence() {
        var bench = Bench()
        bench.begin("a.example")
        #expect(bench.sent == ["a.example 1", "a.example 1"])
        for (milliseconds, server) in [(1_000, 2), (1_000, 1), (2_000, 2), (2_000, 1)] {
            bench.pass(milliseconds - 1)
            #expect(bench.sent.isEmpty)
            bench.pass(1)
            #expect(bench.sent == ["a.example \(server)", "a.example \(server)"])
        }
        bench.pass(4_000)
        #expect(bench.outcome == .failed("no name server has answered"))
        #expect(bench.lookups.isEmpty)
    }

    @Test("The server that has answered is asked first for the next name")
    func remembered() {
        var bench = Bench()
        bench.begin("a.example")
        _ = bench.sent
        bench.pass(1_000)
        bench.answer("192.0.2.9")
        #expect(bench.outcome == addresses("192.0.2.9"))
        bench.begin("b.example")
        #expect(bench.sent == ["b.example 2", "b.example 2"])
    }

    @Test("Addresses of one kind wait a moment for those of the other, and no longer")
    func otherKind() throws {
        var bench = Bench()
        bench.begin("a.example")
        let question = try #require(bench.questions().last)
        bench.lookups.receive(DNSAnswer.bytes(to: question.bytes, ["192.0.2.9"]), from: question.server, at: bench.now)
        bench.pass(249)
        #expect(bench.outcome == nil)
        bench.pass(1)
        #expect(bench.outcome == addresses("192.0.2.9"))
    }

    @Test("Where one server fails the next is asked at once; where all do it is said so")
    func failing() {
        var bench = Bench()
        bench.begin("a.example")
        bench.answer(code: 2)
        #expect(bench.outcome == nil)
        bench.answer("192.0.2.9")
        #expect(bench.outcome == addresses("192.0.2.9"))
        bench.begin("b.example")
        bench.answer(code: 2)
        bench.answer(code: 5)
        #expect(bench.outcome == .failed("the name servers have failed"))
    }

    @Test("Where no server can be reached the system is asked")
    func refused() {
        var bench = Bench()
        bench.begin("a.example")
        bench.lookups.refuse(bench.services.servers[0], at: bench.now)
        #expect(bench.outcome == nil)
        bench.lookups.refuse(bench.services.servers[1], at: bench.now)
        #expect(bench.outcome == .isElsewhere)
        bench.services.servers = []
        bench.begin("a.example")
        #expect(bench.outcome == .isElsewhere)
    }

    @Test("A name that is not whole is looked for in the search domains first, a whole one last")
    func search() {
        var bench = Bench()
        bench.services = NameServices(
            resolver: "nameserver 192.0.2.1\nsearch one.example two.example.\noptions ndots:2\n", switching: "")
        bench.begin("a.b")
        #expect(bench.sent == ["a.b.one.example 1", "a.b.one.example 1"])
        bench.lookups.cancel(1)
        bench.begin("a.b")
        bench.answer(code: 3)
        bench.answer()
        #expect(bench.sent == ["a.b 1", "a.b 1"])
        #expect(bench.services.candidates(for: "a.b.c") == ["a.b.c", "a.b.c.one.example", "a.b.c.two.example"])
        #expect(bench.services.candidates(for: "a.") == ["a"])
    }

    @Test("A name that DNS does not have is unknown, unless the system may know it by other ways")
    func unknown() {
        var bench = Bench()
        bench.begin("a.example")
        bench.answer(code: 3)
        #expect(bench.outcome == .failed("there is no such name"))
        bench.begin("printer")
        bench.answer(code: 3)
        #expect(bench.outcome == .isElsewhere)
        bench.services.hasOthers = true
        bench.begin("a.example")
        bench.answer()
        #expect(bench.outcome == .isElsewhere)
        bench.services.hasOthers = false
        for host in ["name with spaces.example", "a..example", String(repeating: "a", count: 64) + ".example"] {
            bench.begin(host)
            #expect(bench.sent.isEmpty)
            #expect(bench.outcome == .failed("there is no such name"))
        }
    }

    @Test("A cancelled lookup leaves nothing, and what comes for it is ignored")
    func cancelled() {
        var bench = Bench()
        bench.begin("a.example")
        bench.lookups.cancel(1)
        #expect(bench.lookups.isEmpty)
        #expect(bench.lookups.nextDeadline == nil)
        bench.answer("192.0.2.9")
        #expect(bench.outcome == nil)
    }

    @Test("An answer to another question, or by another server, is ignored")
    func foreign() throws {
        var bench = Bench()
        bench.begin("a.example")
        let (server, question) = try #require(bench.questions().last)
        var others: [[UInt8]] = []
        for place in [0, 1, 13, 15] {
            others.append(question)
            others[others.count - 1][place] ^= 1
        }
        for other in others {
            bench.lookups.receive(DNSAnswer.bytes(to: other, ["192.0.2.9"]), from: server, at: bench.now)
        }
        let stranger = NameServices.Server(address: server.address, port: 54)
        bench.lookups.receive(DNSAnswer.bytes(to: question, ["192.0.2.9"]), from: stranger, at: bench.now)
        bench.lookups.receive(question, from: server, at: bench.now)
        bench.pass(500)
        #expect(bench.outcome == nil)
    }

    @Test("An answer that was cut is used if it has addresses, and asked for with more room if not")
    func cut() throws {
        var bench = Bench()
        bench.services.servers.removeLast()
        bench.begin("a.example")
        for (server, question) in bench.questions() {
            bench.lookups.receive(DNSAnswer.bytes(to: question, isCut: true), from: server, at: bench.now)
        }
        let again = bench.questions()
        #expect(again.map { $0.bytes[11] } == [1, 1])
        for (server, question) in again {
            let whole = DNSAnswer.bytes(to: question, ["192.0.2.9", "192.0.2.10"], isCut: true)
            bench.lookups.receive(Array(whole.dropLast(4)), from: server, at: bench.now)
        }
        #expect(bench.outcome == addresses("192.0.2.9"))
    }

    @Test("Addresses that fit no datagram are left to the system")
    func tooLarge() throws {
        var bench = Bench()
        bench.services.servers.removeLast()
        bench.begin("a.example")
        for _ in 0..<2 {
            for (server, question) in bench.questions() {
                bench.lookups.receive(DNSAnswer.bytes(to: question, isCut: true), from: server, at: bench.now)
            }
        }
        #expect(bench.outcome == .isElsewhere)
    }

    @Test("Bytes of any kind are an answer or none, and never the end of the program")
    func anyBytes() {
        let question = DNSMessage.question(1, "a.example", .version4, isExtended: true)
        let answer = DNSAnswer.bytes(to: question, ["192.0.2.9", "192.0.2.10"])
        #expect(DNSMessage(answer)?.addresses.count == 2)
        for length in answer.indices { #expect(DNSMessage(Array(answer[..<length])) == nil) }
        var generator = SeededGenerator()
        for _ in 0..<20_000 {
            var bytes = answer
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: .min ... .max, using: &generator)
            }
            #expect(DNSMessage(bytes)?.addresses.count ?? 0 <= 2, "seed \(generator.seed)")
        }
    }

    @Test("The system's files say where to look: servers, domains, options, and whether DNS is asked at all")
    func files() {
        let text = """
            # a comment
            nameserver 192.0.2.1 ; another
            nameserver fe80::1%eth0
            nameserver 2001:db8::53
            domain one.example
            search two.example\tthree.example
            options ndots:99 timeout:2 attempts:x attempts:0 rotate
            """
        var services = NameServices(resolver: text, switching: "hosts: files mdns4_minimal [NOTFOUND=return] dns")
        #expect(services.servers.map { "\($0.address) \($0.port)" } == ["192.0.2.1 53", "2001:db8::53 53"])
        #expect(services.search == ["two.example", "three.example"])
        #expect(services.dots == 15)
        #expect(services.timeout == .seconds(2))
        #expect(services.attempts == 2)
        #expect(!services.hasOthers)
        services = NameServices(resolver: text, switching: "hosts: files ldap dns")
        #expect(services.hasOthers)
        for switching in ["hosts: files", "hosts:"] {
            services = NameServices(resolver: text, switching: switching)
            #expect(services.servers.isEmpty)
        }
        let hosts =
            "127.0.0.1 localhost\n192.0.2.7\tA.example b.example # c.example\r\n2001:db8::7 a.example\nx a.example"
        func found(_ name: String) -> [String] {
            NameServices.addresses(of: name, inHosts: Array(hosts.utf8)).map(\.description)
        }
        #expect(found("a.example") == ["192.0.2.7", "2001:db8::7"])
        #expect(found("b.example") == ["192.0.2.7"])
        #expect(found("c.example").isEmpty)
        #expect(found("192.0.2.7").isEmpty)
    }
}
