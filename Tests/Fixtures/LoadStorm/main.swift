import Foundation
import ImagePipeline
import Streams
import Synchronization

// Loads many images at once with few descriptors: for the test that counts how many the pipeline holds.
//
//     load-storm files|disk|network|http2 COUNT DESCRIPTORS IMAGE DIRECTORY [URL [AUTHORITY-FILE]]
//
// `files` loads IMAGE again and again, `disk` bodies that it has put into a cache in DIRECTORY, `network` everything below URL, and
// `http2` also, slowly. Prints the number of final images, the stage they came from, the most descriptors above idle (with `http2`
// the most memory in megabytes), and the first failure.
let arguments = CommandLine.arguments
guard arguments.count > 5, let count = Int(arguments[2]), let descriptors = Int(arguments[3]) else {
    fatalError("usage: load-storm files|disk|network COUNT DESCRIPTORS IMAGE DIRECTORY [URL]")
}
let (mode, image, directory) = (arguments[1], arguments[4], arguments[5])
var limit = rlimit(rlim_cur: rlim_t(descriptors), rlim_max: rlim_t(descriptors))
guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { fatalError("setrlimit") }

@Sendable func openDescriptors() -> Int {
    (0..<Int32(descriptors)).count { fcntl($0, F_GETFD) >= 0 }
}

let cache = DiskCache(directory: directory)
let requests = (0..<count).map { number in
    let url = arguments.count > 6 ? "\(arguments[6])/\(number).jpg" : "http://127.0.0.1:9/\(number).jpg"
    var request = ImageRequest(
        mode == "files" ? image : url, as: Rendition(targetSize: PixelSize(width: 16, height: 16)))
    request.version = "\(number)"
    return request
}
if mode == "disk" {
    let body = [UInt8](try Data(contentsOf: URL(fileURLWithPath: image)))
    for request in requests { cache.store(body, for: request.dataKey) }
}
/// The most memory so far, in kilobytes.
@Sendable func peakMemory() -> Int {
    let lines = ((try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? "").split(separator: "\n")
    return Int(lines.first { $0.hasPrefix("VmHWM:") }?.filter(\.isNumber) ?? "") ?? 0
}

if mode == "http2" {
    var options = TransportOptions()
    options.version = .http2
    options.transfersPerHost = 16
    options.authorityFile = arguments.last
    let before = peakMemory()
    let taken = Mutex(0)
    let isOver = DispatchSemaphore(value: 0)
    let source = HTTPSource(CurlTransport(options)).decoded(on: ThreadPoolScheduler(width: 2)) { body in
        // A slow decoder: a few milliseconds of work for each body.
        _ = CacheKey(parts: [body, body])
        return body.count
    }
    let load = requests.publisher.setFailureType(to: LoadError.self)
        .flatMap(maxPublishers: .max(16)) { source.events(for: $0) }
        .sink(
            receiveCompletion: { completion in
                let count = taken.withLock { $0 }
                let failure = if case .failure(let error) = completion { "\(error)" } else { "no failure" }
                print("\(count) network; \((peakMemory() - before) / 1_024) MB; \(failure)")
                isOver.signal()
            }, receiveValue: { event in if event.finalValue != nil { taken.withLock { $0 += 1 } } })
    isOver.wait()
    load.cancel()
    exit(0)
}

// Bodies that came without a response are for a tier that does not ask how fresh they are.
let pipeline =
    mode == "disk"
    ? ImageLoader(
        HTTPSource(CurlTransport()).cached(in: cache, on: ThreadPoolScheduler(width: 4))
            .decoded(on: ThreadPoolScheduler(width: 2)))
    : ImageLoader.standard(disk: cache)
let idle = openDescriptors()
let tally = Mutex((finals: [Provenance: Int](), failure: String?.none, peak: 0))
let isOver = DispatchGroup()
var loads: [AnyCancellable] = []
for request in requests {
    isOver.enter()
    pipeline.events(for: request).sink(
        receiveCompletion: { completion in
            if case .failure(let error) = completion {
                tally.withLock { if $0.failure == nil { $0.failure = "\(error)" } }
            }
            isOver.leave()
        },
        receiveValue: { event in
            guard case .final(_, let provenance) = event else { return }
            let open = openDescriptors()
            tally.withLock { tally in
                tally.finals[provenance, default: 0] += 1
                tally.peak = max(tally.peak, open)
            }
        }
    ).store(in: &loads)
}
isOver.wait()
tally.withLock { tally in
    let finals = tally.finals.map { "\($0.value) \($0.key)" }.sorted().joined(separator: ", ")
    print("\(finals); \(tally.peak - idle) descriptors; \(tally.failure ?? "no failure")")
}
