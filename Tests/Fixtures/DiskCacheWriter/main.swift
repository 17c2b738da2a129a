import CLibrary
import Dispatch
import ImagePipeline

// Writes entries into the cache directory that is its first argument, for tests with processes.
//
//     disk-cache-writer DIRECTORY                         until it is killed
//     disk-cache-writer DIRECTORY LIMIT PHOTOS            a mixed load of all that a cache does, until it is killed
//     disk-cache-writer DIRECTORY LIMIT COUNT SIZE NAME   so many entries of a size, with a limit of the total; prints statistics
let arguments = CommandLine.arguments
switch arguments.count {
case 2: writeForever(in: arguments[1])
case 4: mix(in: arguments[1], limit: Int(arguments[2]) ?? 0, photos: arguments[3])
case 6:
    guard let limit = Int(arguments[2]), let count = Int(arguments[3]), let size = Int(arguments[4]) else {
        fatalError("not a number")
    }
    let cache = DiskCache(directory: arguments[1], limits: .init(totalSize: limit))
    for number in 0..<count {
        let key = CacheKey([arguments[5], "\(number)"])
        cache.store([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size), for: key)
        _ = cache.entry(for: CacheKey([arguments[5], "\(number / 2)"]))
    }
    print(cache.statistics)
default: fatalError("usage: disk-cache-writer DIRECTORY [LIMIT [COUNT SIZE NAME]]")
}

/// Entry n has a body of a length and content that follow from n, written in chunks, so that a kill hits every stage.
func writeForever(in directory: String) {
    let cache = DiskCache(directory: directory)
    var serial = 0
    print("writing")
    fflush(nil)
    // A test that was ended itself kills nobody any more.
    let parent = getppid()
    while getppid() == parent {
        let number = serial % 50
        if var writer = cache.writer(for: CacheKey(["entry", "\(number)"]), metadata: Array("\(number)".utf8)) {
            for chunk in 0..<(1 + number % 5) {
                writer.append([UInt8](repeating: UInt8(truncatingIfNeeded: number &+ chunk), count: 20_000 + number))
            }
            writer.publish()
        }
        serial += 1
    }
}

/// Loads photos, and beside that writes, reads, updates, removes, sweeps and leases at random. It prints when the first photo has come. What is
/// served and is not what was written, and a load that fails, leave a file that says so.
func mix(in directory: String, limit: Int, photos: String) -> Never {
    let terms = StoreTerms(timeLimit: .seconds(3_600), leaseTime: .milliseconds(100))
    let cache = DiskCache(directory: directory, limits: .init(totalSize: limit), terms: terms)
    let loads = PhotoLoads(in: photos, cache: cache)
    DispatchQueue(label: "entries").async { while true { mixOne(in: cache) } }
    var isFirst = true
    let parent = getppid()
    while getppid() == parent {
        if let fault = loads.loadOne() { report(fault, in: directory) }
        if isFirst {
            print("mixing")
            fflush(nil)
        }
        isFirst = false
    }
    exit(1)
}

func mixOne(in cache: DiskCache) {
    let number = Int.random(in: 0..<200)
    let plain = CacheKey(["mixed", "\(number)"])
    let key = number % 4 == 0 ? cache.key(plain, tagged: "tag") : plain
    switch Int.random(in: 0..<20) {
    case 0: cache.remove(key)
    case 1: if let entry = cache.entry(for: key) { cache.update(entry, metadata: [1, 2, 3]) }
    case 2: if Int.random(in: 0..<20) == 0 { cache.removeAll(tagged: "tag") }
    case 3: if Int.random(in: 0..<20) == 0 { cache.sweep() }
    case 4..<8:
        if case .granted(let lease, _)? = try? cache.lease(of: key, for: .seconds(10)) {
            try? lease.renew()
            try? lease.release()
        }
    case 8..<14:
        guard let entry = cache.entry(for: key) else { return }
        let expected = [UInt8](repeating: UInt8(number), count: (1 + number % 5) * 9_000)
        if (try? entry.body()) != expected { report("entry \(number) is not what it was", in: cache.directory) }
    default:
        guard var writer = cache.writer(for: key) else { return }
        for _ in 0..<(1 + number % 5) { writer.append([UInt8](repeating: UInt8(number), count: 9_000)) }
        writer.publish()
    }
}

func report(_ fault: String, in directory: String) {
    let file = open("\(directory)/wrong", O_CREAT | O_WRONLY | O_APPEND, 0o600)
    _ = "\(fault)\n".utf8CString.withUnsafeBytes { write(file, $0.baseAddress, $0.count - 1) }
    close(file)
}
