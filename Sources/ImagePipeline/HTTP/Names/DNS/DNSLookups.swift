/// The lookups that are under way: what is to be asked, of whom and when, and what has come of it. It knows no sockets and no clock.
///
/// A lookup is a few hundred bytes, whether its servers answer or not. It asks for both kinds of addresses at once, and again after a
/// second, two, four …, one server after the other.
struct DNSLookups {
    typealias Instant = ContinuousClock.Instant
    typealias Server = NameServices.Server

    enum Outcome: Hashable {
        case found([IPAddress])
        /// No addresses, and why.
        case failed(String)
        /// No addresses here, though the system may find some by other ways.
        case isElsewhere
    }

    private struct Question {
        let kind: DNSMessage.Kind
        var id: UInt16
        var isExtended = false
        /// nil as long as none is expected.
        var addresses: [IPAddress]?
    }

    private struct Lookup {
        /// Those that are still to be asked for, the present one last.
        var names: [String]
        let servers: [Server]
        let isKnownElsewhere: Bool
        /// The time that is spent on a name.
        let patience: Duration
        var questions: [Question] = []
        var began: Instant
        /// How often a server was asked for the present name.
        var tries = 0
        var refusals = 0
        var hasFailed = false

        var server: Server { servers[max(0, tries - 1) % servers.count] }
        var addresses: [IPAddress] { questions.flatMap { $0.addresses ?? [] } }
    }

    /// The time for which addresses of one kind wait for those of the other (RFC 8305, 3, has less for those that are used once).
    private static let resolutionDelay = Duration.milliseconds(250)
    private static let limit = 20_000

    /// The questions to send.
    private(set) var packets: [(server: Server, bytes: [UInt8])] = []
    /// The lookups that are over.
    private(set) var outcomes: [(key: Int, outcome: Outcome)] = []
    private var lookups: [Int: Lookup] = [:]
    private var asked: [UInt16: (key: Int, index: Int)] = [:]
    private var deadlines = IndexedHeap<Int, Instant>()
    /// The server that answered last. It is asked first: where the first of the list is silent, every name would wait for it.
    private var answering: Server?

    var isEmpty: Bool { lookups.isEmpty }
    var nextDeadline: Instant? { deadlines.first?.rank }

    mutating func takePackets() -> [(server: Server, bytes: [UInt8])] {
        defer { packets = [] }
        return packets
    }

    mutating func takeOutcomes() -> [(key: Int, outcome: Outcome)] {
        defer { outcomes = [] }
        return outcomes
    }

    /// Begins a lookup.
    mutating func start(_ key: Int, _ host: String, with services: NameServices, at now: Instant) {
        var servers = services.servers
        guard !servers.isEmpty else { return outcomes.append((key, .isElsewhere)) }
        guard lookups.count < Self.limit else {
            return outcomes.append((key, .failed("too many names are being looked up")))
        }
        if let answering, let place = servers.firstIndex(of: answering) { servers.swapAt(0, place) }
        lookups[key] = Lookup(
            names: services.candidates(for: host).reversed(), servers: servers,
            isKnownElsewhere: services.isKnownElsewhere(host), patience: services.timeout * services.attempts,
            began: now)
        ask(key, at: now)
    }

    /// Forgets a lookup; what comes for it is of no interest any more.
    mutating func cancel(_ key: Int) {
        guard let lookup = lookups.removeValue(forKey: key) else { return }
        for question in lookup.questions { asked[question.id] = nil }
        deadlines[key] = nil
    }

    /// Asks anew where servers have been silent too long.
    mutating func advance(to now: Instant) {
        while let (key, deadline) = deadlines.first, deadline <= now {
            guard let lookup = lookups[key] else {
                deadlines[key] = nil
                continue
            }
            if !lookup.addresses.isEmpty {
                end(key, .found(lookup.addresses))
            } else if now - lookup.began >= lookup.patience {
                end(key, .failed("no name server has answered"))
            } else {
                send(key, at: now)
            }
        }
    }

    /// Takes what a server has sent.
    mutating func receive(_ bytes: [UInt8], from server: Server, at now: Instant) {
        guard let message = DNSMessage(bytes), let (key, index) = asked[message.id], var lookup = lookups[key],
            lookup.servers.contains(server), lookup.questions[index].kind == message.kind,
            lookup.names.last?.lowercased() == message.name
        else { return }
        answering = server
        if message.verdict == .failed {
            // Another server may do better. An answer of one that was given up changes nothing.
            guard server == lookup.server else { return }
            if lookup.tries < lookup.servers.count { return send(key, at: now) }
            lookup.hasFailed = true
        } else if message.isCut, message.addresses.isEmpty {
            if !lookup.questions[index].isExtended {
                lookup.questions[index].isExtended = true
                lookups[key] = lookup
                return append(index, of: key, to: server)
            }
            lookup.hasFailed = true
        }
        asked[message.id] = nil
        lookup.questions[index].addresses = message.addresses
        lookups[key] = lookup
        if lookup.questions.allSatisfy({ $0.addresses != nil }) {
            settle(key, at: now)
        } else if !message.addresses.isEmpty, let deadline = deadlines[key] {
            deadlines[key] = min(deadline, now + Self.resolutionDelay)
        }
    }

    /// Goes on where a server cannot be reached: nobody listens there, or no way leads to it.
    mutating func refuse(_ server: Server, at now: Instant) {
        if answering == server { answering = nil }
        for (key, lookup) in lookups where lookup.server == server {
            lookups[key]?.refusals += 1
            if lookup.refusals + 1 >= lookup.servers.count {
                end(key, .isElsewhere)
            } else {
                send(key, at: now)
            }
        }
    }

    /// Asks for the name that is next.
    private mutating func ask(_ key: Int, at now: Instant) {
        guard var lookup = lookups[key], let name = lookup.names.last else { return }
        for question in lookup.questions { asked[question.id] = nil }
        lookup.questions = []
        guard DNSMessage.isName(name) else {
            lookups[key] = lookup
            return settle(key, at: now)
        }
        for (index, kind) in [DNSMessage.Kind.version6, .version4].enumerated() {
            var id = UInt16.random(in: .min ... .max)
            while asked[id] != nil { id &+= 1 }
            asked[id] = (key, index)
            lookup.questions.append(Question(kind: kind, id: id))
        }
        (lookup.began, lookup.tries, lookup.refusals) = (now, 0, 0)
        lookups[key] = lookup
        send(key, at: now)
    }

    private mutating func settle(_ key: Int, at now: Instant) {
        guard var lookup = lookups[key] else { return }
        let addresses = lookup.addresses
        if !addresses.isEmpty { return end(key, .found(addresses)) }
        lookup.names.removeLast()
        lookups[key] = lookup
        if !lookup.names.isEmpty { return ask(key, at: now) }
        if lookup.questions.contains(where: \.isExtended) {
            // The system asks for an answer that fits no datagram over a connection.
            end(key, .isElsewhere)
        } else if lookup.hasFailed {
            end(key, .failed("the name servers have failed"))
        } else {
            end(key, lookup.isKnownElsewhere ? .isElsewhere : .failed("there is no such name"))
        }
    }

    private mutating func send(_ key: Int, at now: Instant) {
        guard var lookup = lookups[key] else { return }
        lookup.tries += 1
        lookups[key] = lookup
        let round = (lookup.tries - 1) / lookup.servers.count
        let wait = lookup.addresses.isEmpty ? .seconds(1 << min(round, 5)) : Self.resolutionDelay
        deadlines[key] = min(lookup.began + lookup.patience, now + wait)
        for index in lookup.questions.indices where lookup.questions[index].addresses == nil {
            append(index, of: key, to: lookup.server)
        }
    }

    private mutating func append(_ index: Int, of key: Int, to server: Server) {
        guard let lookup = lookups[key], let name = lookup.names.last else { return }
        let question = lookup.questions[index]
        packets.append(
            (server, DNSMessage.question(question.id, name, question.kind, isExtended: question.isExtended)))
    }

    private mutating func end(_ key: Int, _ outcome: Outcome) {
        cancel(key)
        outcomes.append((key, outcome))
    }
}
