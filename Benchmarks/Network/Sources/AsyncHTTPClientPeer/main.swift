import AsyncHTTPClient
import Foundation
import NIOCore
import NIOSSL

// GETs of one URL by AsyncHTTPClient, called like curl-floor.
//
//     async-http-client-peer URL COUNT AT-ONCE http1|http2 AUTHORITY-FILE BODY-BYTES

let words = CommandLine.arguments
guard words.count == 7, let count = Int(words[2]), let atOnce = Int(words[3]), let bodyBytes = Int(words[6]) else {
    exit(2)
}

@Sendable func receivedBytes(_ client: HTTPClient, _ request: HTTPClientRequest) async throws -> Int {
    let response = try await client.execute(request, timeout: .seconds(300))
    var bytes = 0
    for try await part in response.body { bytes += part.readableBytes }
    return bytes
}

func load() async throws -> Bool {
    var configuration = HTTPClient.Configuration(certificateVerification: .fullVerification)
    var encryption = TLSConfiguration.makeClientConfiguration()
    encryption.trustRoots = .file(words[5])
    configuration.tlsConfiguration = encryption
    configuration.httpVersion = words[4] == "http2" ? .automatic : .http1Only
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = atOnce
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    let request = HTTPClientRequest(url: words[1])
    let received = try await withThrowingTaskGroup(of: Int.self) { loads in
        for _ in 0..<min(count, atOnce) { loads.addTask { try await receivedBytes(client, request) } }
        var (left, received) = (count - min(count, atOnce), 0)
        while let bytes = try await loads.next() {
            received += bytes
            guard left > 0 else { continue }
            left -= 1
            loads.addTask { try await receivedBytes(client, request) }
        }
        return received
    }
    try await client.shutdown()
    return received == count * bodyBytes
}

func processorTime() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return Double(now.tv_sec) * 1e3 + Double(now.tv_nsec) / 1e6
}

/// The most memory ever resident, in kilobytes.
func peak() -> Int {
    let lines = ((try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? "").split(separator: "\n")
    return Int(lines.first { $0.hasPrefix("VmHWM:") }?.filter(\.isNumber) ?? "") ?? 0
}

let (wall, cpu) = (ContinuousClock.now, processorTime())
let isGood = if count == 0 { true } else { try await load() }
let (seconds, attoseconds) = (ContinuousClock.now - wall).components
print(Double(seconds) * 1e3 + Double(attoseconds) / 1e15, processorTime() - cpu, peak())
exit(isGood ? 0 : 1)
