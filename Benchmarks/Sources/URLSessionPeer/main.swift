import ChildProcess
import Foundation
import FoundationNetworking
import Synchronization

// GETs of one URL by URLSession, called like curl-floor. Which version of HTTP it speaks it decides itself, and on Linux it
// trusts no authority but those of the system: the encrypted cases fail.
//
//     urlsession-peer URL COUNT AT-ONCE http1|http2 AUTHORITY-FILE BODY-BYTES

let words = CommandLine.arguments
guard words.count == 7, let url = URL(string: words[1]), let count = Int(words[2]), let atOnce = Int(words[3]),
    let bodyBytes = Int(words[6])
else { exit(2) }

func load() -> Bool {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = atOnce
    configuration.connectionProxyDictionary = [:]
    let session = URLSession(configuration: configuration)
    let received = Received()
    let slots = DispatchSemaphore(value: atOnce)
    let loads = DispatchGroup()
    for _ in 0..<count {
        slots.wait()
        loads.enter()
        session.dataTask(with: url) { data, _, error in
            if error != nil { exit(1) }
            received.add(data?.count ?? 0)
            slots.signal()
            loads.leave()
        }.resume()
    }
    loads.wait()
    return received.bytes == count * bodyBytes
}

final class Received: Sendable {
    private let count = Atomic(0)

    var bytes: Int { count.load(ordering: .acquiring) }

    func add(_ count: Int) {
        self.count.wrappingAdd(count, ordering: .releasing)
    }
}

let (wall, cpu) = (ContinuousClock.now, OwnProcess.cpu())
let isGood = count == 0 || load()
let (seconds, attoseconds) = (ContinuousClock.now - wall).components
print(Double(seconds) * 1e3 + Double(attoseconds) / 1e15, OwnProcess.cpu() - cpu, OwnProcess.peak())
exit(isGood ? 0 : 1)
