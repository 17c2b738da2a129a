import Files
import Synchronization

/// Looks names up in the hosts file and over DNS, any number at once, on one thread with a socket for each server. Both are there
/// only as long as somebody waits for a name.
final class DNSClient: Sendable {
    typealias Completion = @Sendable (DNSLookups.Outcome) -> Void

    private enum Command {
        case start(Int, String, Completion)
        case cancel(Int)
    }

    private struct Inbox {
        var commands: [Command] = []
        /// Wakes the thread; nil while there is none.
        var alarm: Alarm?
        var next = 0
    }

    private let services: @Sendable () -> NameServices
    private let inbox = Mutex(Inbox())

    /// - Parameter services: Returns where names are to be looked up; called again and again, so that a change of network is seen.
    init(_ services: @escaping @Sendable () -> NameServices) {
        self.services = services
    }

    /// Begins a lookup.
    ///
    /// - Parameter completion: Called once with what has come of it, on the client's thread, unless it was cancelled before.
    /// - Returns: The number with which it can be cancelled.
    func lookUp(_ host: String, _ completion: @escaping Completion) -> Int {
        let key = inbox.withLock { inbox in
            defer { inbox.next += 1 }
            return inbox.next
        }
        if !post(.start(key, host, completion)) { completion(.isElsewhere) }
        return key
    }

    func cancel(_ key: Int) {
        _ = post(.cancel(key))
    }

    /// - Returns: Whether there is a thread that will carry it out. Without one there is nothing that could be cancelled.
    private func post(_ command: Command) -> Bool {
        let (alarm, isNew) = inbox.withLock { inbox -> (Alarm?, Bool) in
            let isRunning = inbox.alarm != nil
            if !isRunning {
                guard case .start = command else { return (nil, false) }
                inbox.alarm = Alarm()
            }
            if inbox.alarm != nil { inbox.commands.append(command) }
            return (inbox.alarm, !isRunning)
        }
        guard let alarm else { return false }
        alarm.ring()
        if isNew, !DetachedThread.start("NameLookup", stackSize: 512 << 10, { [self] in run(alarm) }) {
            // Others may have left something meanwhile; it is carried out in vain.
            let left = inbox.withLock { inbox in
                inbox.alarm = nil
                defer { inbox.commands = [] }
                return inbox.commands
            }
            for case .start(_, _, let completion) in left { completion(.isElsewhere) }
        }
        return true
    }

    /// - Returns: nil when there is nothing more to do: then the thread is no more.
    private func takeCommands(isIdle: Bool) -> [Command]? {
        inbox.withLock { inbox in
            if isIdle, inbox.commands.isEmpty {
                inbox.alarm = nil
                return nil
            }
            defer { inbox.commands = [] }
            return inbox.commands
        }
    }

    private func run(_ alarm: Alarm) {
        var lookups = DNSLookups()
        var sockets: [NameServices.Server: DatagramSocket] = [:]
        var completions: [Int: Completion] = [:]
        while let commands = takeCommands(isIdle: completions.isEmpty) {
            var known: (services: NameServices, hosts: [UInt8])?
            for command in commands {
                switch command {
                case .start(let key, let host, let completion):
                    let (services, hosts) = known ?? read()
                    // Once for all names that have come together.
                    known = (services, hosts)
                    let addresses = NameServices.addresses(of: host, inHosts: hosts)
                    if !addresses.isEmpty {
                        completion(.found(addresses))
                    } else if services.isLocal(host) {
                        completion(.isElsewhere)
                    } else {
                        completions[key] = completion
                        lookups.start(key, host, with: services, at: .now)
                    }
                case .cancel(let key):
                    completions[key] = nil
                    lookups.cancel(key)
                }
            }
            lookups.advance(to: .now)
            send(&lookups, &sockets)
            for (key, outcome) in lookups.takeOutcomes() { completions.removeValue(forKey: key)?(outcome) }
            // A new socket has another port, which nobody can know.
            if lookups.isEmpty { sockets = [:] }
            if completions.isEmpty { continue }
            wait(for: Array(sockets), alarm, until: lookups.nextDeadline)
            alarm.silence()
            for (server, socket) in sockets { receive(from: socket, of: server, &lookups) }
        }
    }

    private func read() -> (NameServices, [UInt8]) {
        let services = services()
        return (services, services.hosts())
    }

    /// Sends what there is, on other ways where one is barred.
    private func send(_ lookups: inout DNSLookups, _ sockets: inout [NameServices.Server: DatagramSocket]) {
        while true {
            let packets = lookups.takePackets()
            if packets.isEmpty { return }
            var refused: Set<NameServices.Server> = []
            for (server, bytes) in packets {
                let socket = sockets[server] ?? DatagramSocket(to: server)
                sockets[server] = socket
                if socket?.send(bytes) != true { refused.insert(server) }
            }
            for server in refused { lookups.refuse(server, at: .now) }
        }
    }

    private func receive(from socket: DatagramSocket, of server: NameServices.Server, _ lookups: inout DNSLookups) {
        while true {
            switch socket.receive() {
            case .message(let bytes): lookups.receive(bytes, from: server, at: .now)
            case .nothing: return
            case .refused: return lookups.refuse(server, at: .now)
            }
        }
    }

    private func wait(
        for sockets: [(key: NameServices.Server, value: DatagramSocket)], _ alarm: Alarm,
        until deadline: ContinuousClock.Instant?
    ) {
        var watched = ([alarm.number] + sockets.map(\.value.number)).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        _ = poll(&watched, nfds_t(watched.count), deadline?.pollTime ?? -1)
    }
}
