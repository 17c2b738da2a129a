import Files
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Names and questions of DNS, and where they are asked")
struct DNSTextTests {
    private static let label = String(repeating: "a", count: 63)

    @Test(
        "A name may have 253 bytes, each part of it from 1 to 63: letters, digits, hyphens and underscores",
        arguments: [
            ("\(label).\(label).\(label).\(label.dropLast(2))", true),
            ("\(label).\(label).\(label).\(label.dropLast(1))", false),
            ("\(label).example", true), ("a\(label).example", false), ("a", true), ("", false), (".", false),
            ("a.", false), (".a", false), ("a..b", false), ("azAZ09-_.x", true), ("`", false), ("{", false),
            ("@", false), ("[", false), ("/", false), (":", false), ("a b", false), ("ä", false), ("^", false),
        ])
    func names(name: String, isName: Bool) {
        #expect(DNSMessage.isName(name) == isName)
    }

    @Test("A question is written as RFC 1035 says, and with room for 4,096 bytes as RFC 6891 does")
    func question() {
        let plain: [UInt8] = [
            0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 97, 2, 98, 99, 0, 0, 28, 0, 1,
        ]
        #expect(DNSMessage.question(0x1234, "a.bc", .version6, isExtended: false) == plain)
        var extended = plain
        extended[11] = 1
        extended += [0, 0, 41, 0x10, 0, 0, 0, 0, 0, 0, 0]
        #expect(DNSMessage.question(0x1234, "a.bc", .version6, isExtended: true) == extended)
        #expect(DNSMessage.question(0x1234, "a.bc", .version4, isExtended: false)[19] == 1)
    }

    @Test("Of an answer the code, the cut and the addresses of the asked kind are read, each address once")
    func answer() {
        let question = DNSMessage.question(0xABCD, "A.example", .version4, isExtended: false)
        let answer = DNSAnswer.bytes(to: question, ["192.0.2.9", "192.0.2.9", "2001:db8::9", "192.0.2.10"])
        let message = DNSMessage(answer)
        #expect(message?.id == 0xABCD)
        #expect(message?.name == "a.example")
        #expect(message?.kind == .version4)
        #expect(message?.isCut == false)
        #expect(message?.addresses.map(\.description) == ["192.0.2.9", "192.0.2.10"])
        for (code, verdict) in [(0, .answered), (1, .failed), (2, .failed), (3, .noSuchName), (5, .failed)]
            as [(UInt8, DNSMessage.Verdict)]
        {
            #expect(DNSMessage(DNSAnswer.bytes(to: question, code: code))?.verdict == verdict, "\(code)")
        }
        #expect(DNSMessage(DNSAnswer.bytes(to: question, isCut: true))?.isCut == true)
        // Addresses of another family or of a wrong length are none.
        let start = answer.count - 16
        for (place, byte) in [(3, 28), (5, 3), (11, 3)] as [(Int, UInt8)] {
            var other = answer
            other[start + place] = byte
            if place == 11 { other.removeLast() }
            #expect(DNSMessage(other)?.addresses.map(\.description) == ["192.0.2.9"], "\(place)")
        }
    }

    @Test(
        "An option of resolv.conf counts within its bounds, and not at all where it makes no sense",
        arguments: [
            ("", 1, 5, 2), ("ndots:0", 0, 5, 2), ("ndots:15", 15, 5, 2), ("ndots:16", 15, 5, 2),
            ("ndots:-1", 1, 5, 2), ("ndots:", 1, 5, 2), ("ndots", 1, 5, 2), ("ndots:2:3", 1, 5, 2),
            ("timeout:0", 1, 5, 2), ("timeout:1", 1, 1, 2), ("timeout:30", 1, 30, 2), ("timeout:31", 1, 30, 2),
            ("attempts:0", 1, 5, 2), ("attempts:1", 1, 5, 1), ("attempts:5", 1, 5, 5), ("attempts:6", 1, 5, 5),
            ("timeout:x", 1, 5, 2), ("rotate", 1, 5, 2), ("attempts:3 timeout:7", 1, 7, 3),
        ])
    func options(text: String, dots: Int, timeout: Int, attempts: Int) {
        let services = NameServices(resolver: "nameserver 192.0.2.1\noptions \(text)\n", switching: "")
        #expect(services.dots == dots)
        #expect(services.timeout == .seconds(timeout))
        #expect(services.attempts == attempts)
    }

    @Test("The first three servers are asked, on port 53, and a domain of nothing but a dot is none")
    func servers() {
        let lines = (1...5).map { "nameserver 192.0.2.\($0)\n" }.joined()
        let services = NameServices(resolver: "\(lines)nameserver\nsearch . a. b\n", switching: "")
        #expect(services.servers.map { $0.address.description } == ["192.0.2.1", "192.0.2.2", "192.0.2.3"])
        #expect(services.servers.allSatisfy { $0.port == 53 })
        #expect(services.search == ["a", "b"])
        #expect(services.hostsFile == "/etc/hosts")
        for (host, isLocal) in [
            ("localhost", true), ("a.localhost", true), ("a.local", true), ("_gateway", true), ("local", false),
            ("alocalhost", false), ("a.example", false),
        ] {
            #expect(services.isLocal(host) == isLocal, "\(host)")
        }
        for (host, isKnown) in [("printer", true), ("a.example", false)] {
            #expect(services.isKnownElsewhere(host) == isKnown, "\(host)")
        }
    }

    @Test("A single silent server is asked ever more slowly, at last every 32 seconds")
    func slower() {
        var lookups = DNSLookups()
        let services = NameServices(
            resolver: "nameserver 192.0.2.1\noptions timeout:30 attempts:5\n", switching: "")
        var now = ContinuousClock.now
        lookups.start(1, "a.example", with: services, at: now)
        #expect(lookups.takePackets().count == 2)
        for wait in [1, 2, 4, 8, 16, 32, 32, 32] {
            #expect(lookups.nextDeadline == now + .seconds(wait))
            lookups.advance(to: now + .seconds(wait) - .milliseconds(1))
            #expect(lookups.takePackets().isEmpty, "\(wait)")
            now += .seconds(wait)
            lookups.advance(to: now)
            #expect(lookups.takePackets().count == 2, "\(wait)")
        }
        #expect(lookups.nextDeadline == now + .seconds(23))
        lookups.advance(to: now + .milliseconds(22_999))
        #expect(lookups.takeOutcomes().isEmpty)
        lookups.advance(to: now + .seconds(23))
        #expect(lookups.takeOutcomes().map(\.outcome) == [.failed("no name server has answered")])
        #expect(lookups.takePackets().isEmpty)
    }

    @Test("Three servers are asked in turn, and the next one at once where one fails or cannot be reached")
    func three() {
        var lookups = DNSLookups()
        let services = NameServices(
            resolver: "nameserver 192.0.2.1\nnameserver 192.0.2.2\nnameserver 192.0.2.3\n", switching: "")
        var now = ContinuousClock.now
        func asked() -> [UInt8] { lookups.takePackets().map { $0.server.address.bytes[3] } }
        lookups.start(1, "a.example", with: services, at: now)
        #expect(asked() == [1, 1])
        for (wait, server) in [(1, 2), (1, 3), (1, 1), (2, 2), (2, 3), (2, 1)] as [(Int, UInt8)] {
            now += .seconds(wait)
            lookups.advance(to: now)
            #expect(asked() == [server, server])
        }
        lookups.cancel(1)
        lookups.start(2, "b.example", with: services, at: now)
        for server in 0..<3 {
            let packets = lookups.takePackets()
            #expect(packets.map(\.server) == [services.servers[server], services.servers[server]])
            guard let (_, bytes) = packets.first else { continue }
            // Of a server that is not the one that was asked last it says nothing that it fails.
            let other = services.servers[(server + 1) % 3]
            lookups.receive(DNSAnswer.bytes(to: bytes, code: 2), from: other, at: now)
            #expect(lookups.takePackets().isEmpty)
            lookups.receive(DNSAnswer.bytes(to: bytes, code: 2), from: services.servers[server], at: now)
        }
        lookups.cancel(2)
        // It is remembered that the last one has answered.
        lookups.start(3, "c.example", with: services, at: now)
        #expect(asked() == [3, 3])
        lookups.refuse(services.servers[0], at: now)
        #expect(asked().isEmpty)
        lookups.refuse(services.servers[2], at: now)
        #expect(asked() == [2, 2])
        lookups.refuse(services.servers[1], at: now)
        #expect(asked() == [1, 1])
        lookups.refuse(services.servers[0], at: now)
        #expect(lookups.takeOutcomes().map(\.outcome) == [.isElsewhere])
    }

    @Test("The name of a record may be written out, in part or not at all, with parts of up to 63 bytes")
    func recordNames() {
        let question = DNSMessage.question(1, "a.example", .version4, isExtended: false)
        let answer = DNSAnswer.bytes(to: question, ["192.0.2.9"])
        let names: [(name: [UInt8], isRead: Bool)] = [
            ([1, 97, 7, 101, 120, 97, 109, 112, 108, 101, 0], true), ([1, 97, 0xC0, 14], true), ([0xC0, 12], true),
            ([0], true), ([63] + [UInt8](repeating: 97, count: 63) + [0], true),
            ([64] + [UInt8](repeating: 97, count: 64) + [0], false),
        ]
        for (name, isRead) in names {
            let bytes = answer.dropLast(16) + name + answer.suffix(14)
            let addresses = DNSMessage(Array(bytes))?.addresses.map(\.description)
            #expect(addresses == (isRead ? ["192.0.2.9"] : nil), "\(name)")
        }
        for (count, isRead) in [(63, true), (64, false)] {
            let long = DNSMessage.question(1, String(repeating: "a", count: count), .version4, isExtended: false)
            #expect((DNSMessage(DNSAnswer.bytes(to: long)) != nil) == isRead, "\(count)")
        }
    }

    @Test("Behind a sign of a comment nothing counts, nor do a line of one word and what stands in brackets")
    func comments() {
        let services = NameServices(
            resolver: "nameserver\nnameserver 192.0.2.1\noptions ndots:3 # ndots:9\nsearch a ; b\n",
            switching: "hosts: files [NOTFOUND=continue SUCCESS=return] dns\n")
        #expect(services.servers.count == 1)
        #expect(services.dots == 3)
        #expect(services.search == ["a"])
        #expect(!services.hasOthers)
    }

    @Test("The server that has answered last is asked first until it cannot be reached")
    func answering() {
        var lookups = DNSLookups()
        let services = NameServices(resolver: "nameserver 192.0.2.1\nnameserver 192.0.2.2\n", switching: "")
        let now = ContinuousClock.now
        func first(_ key: Int) -> UInt8? {
            lookups.start(key, "a.example", with: services, at: now)
            defer { lookups.cancel(key) }
            return lookups.takePackets().first?.server.address.bytes[3]
        }
        lookups.start(0, "a.example", with: services, at: now)
        for packet in lookups.takePackets() {
            lookups.receive(DNSAnswer.bytes(to: packet.bytes, ["192.0.2.9"]), from: services.servers[1], at: now)
        }
        #expect(first(1) == 2)
        lookups.refuse(services.servers[0], at: now)
        #expect(first(2) == 2)
        lookups.refuse(services.servers[1], at: now)
        #expect(first(3) == 1)
    }

    @Test("20,000 names are looked up at once, and one more when one of them is through")
    func most() {
        var lookups = DNSLookups()
        let services = NameServices(resolver: "nameserver 192.0.2.1\n", switching: "")
        let now = ContinuousClock.now
        for key in 0..<20_000 { lookups.start(key, "a.example", with: services, at: now) }
        #expect(lookups.takeOutcomes().isEmpty)
        lookups.start(-1, "a.example", with: services, at: now)
        #expect(lookups.takeOutcomes().map(\.outcome) == [.failed("too many names are being looked up")])
        for key in 20_001..<40_000 {
            // The numbers of its questions are free again.
            lookups.cancel(key - 20_001)
            lookups.start(key, "a.example", with: services, at: now)
        }
        lookups.cancel(30_000)
        lookups.start(-1, "a.example", with: services, at: now)
        #expect(lookups.takeOutcomes().isEmpty)
    }

    #if os(Linux)
        @Test("What this machine says now is what its files say, and its own name in small letters")
        func current() throws {
            func text(_ path: String) -> String {
                let bytes = try? FileDescriptor.reading(path).read(64 << 10, at: 0)
                return String(decoding: bytes ?? [], as: UTF8.self)
            }
            let services = NameServices.current()
            let stated = NameServices(resolver: text("/etc/resolv.conf"), switching: text("/etc/nsswitch.conf"))
            #expect(services.servers == stated.servers)
            #expect(services.search == stated.search)
            #expect(services.hasOthers == stated.hasOthers)
            let name = text("/proc/sys/kernel/hostname").split(separator: "\n").first.map { $0.lowercased() } ?? ""
            #expect(services.ownName == name)
            #expect(name.isEmpty || services.isLocal(name))
        }
    #endif
}
