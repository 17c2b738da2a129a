import Glibc
import ImagePipeline

/// The disk tier beside the bare system calls that any cache of files needs.
enum DiskCases {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func run(_ report: inout Report) throws {
        let scratch = "/tmp/bench-tiers-\(getpid())"
        guard mkdir(scratch, 0o700) == 0 else { throw Failure(description: "\(scratch) cannot be made") }
        defer { remove(tree: scratch) }
        for size in [20_000, 300_000] { try putAndGet(size, in: scratch, &report) }
        try firstLookUp(in: scratch, &report)
        try evictions(in: scratch, &report)
    }

    private static func putAndGet(_ size: Int, in scratch: String, _ report: inout Report) throws {
        let title = "disk, entries of \(size / 1_000) KB: processor time"
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let count = 200
        let cache = DiskCache(directory: "\(scratch)/cache-\(size)", limits: DiskCache.Limits(totalSize: 1 << 30))
        let keys = (0..<count).map { CacheKey(["\($0)"]) }
        let bare = "\(scratch)/bare-\(size)"
        mkdir(bare, 0o700)
        // By turns, so that the machine's drift hits both alike, and each as often in front: the file system is slower to make a file the
        // more were replaced in the seconds before. The first of both makes what the second replaces.
        var times = (put: [Double](), barePut: [Double](), get: [Double](), bareGet: [Double]())
        let steps = [
            {
                times.barePut.append(
                    processorTime(per: count) { for index in 0..<count { write(body, "\(bare)/\(index)") } })
            },
            { times.put.append(processorTime(per: count) { for key in keys { cache.store(body, for: key) } }) },
            {
                times.bareGet.append(
                    processorTime(per: count) {
                        for index in 0..<count { check(read("\(bare)/\(index)", size) == size) }
                    })
            },
            {
                times.get.append(
                    processorTime(per: count) {
                        for key in keys { check((try? cache.entry(for: key)?.body())??.count == size) }
                    })
            },
        ]
        for round in 0..<10 { for step in [0, 1, 2, 3] { steps[step ^ round & 1]() } }
        report.add(title, "put", median(times.put) / 1_000, "µs")
        report.add(title, "open, write, rename", median(times.barePut) / 1_000, "µs")
        report.add(title, "put, ratio", median(times.put) / median(times.barePut), "×", goal: .atMost(1.5))
        report.add(title, "get", median(times.get) / 1_000, "µs")
        report.add(title, "open, read", median(times.bareGet) / 1_000, "µs")
        report.add(title, "get, ratio", median(times.get) / median(times.bareGet), "×", goal: .atMost(1.5))
    }

    /// A program that starts with a full directory finds its first image at once: nothing is listed before.
    private static func firstLookUp(in scratch: String, _ report: inout Report) throws {
        let directory = "\(scratch)/many"
        let count = 60_000
        let filled = DiskCache(directory: directory, limits: DiskCache.Limits(totalSize: 1 << 30))
        for index in 0..<count { filled.store([1, 2, 3, 4], for: CacheKey(["\(index)"])) }
        let times = (0..<21).map { round in
            ContinuousClock().measure {
                let cache = DiskCache(directory: directory, limits: DiskCache.Limits(totalSize: 1 << 30))
                check(cache.entry(for: CacheKey(["\(round * 2_000)"])) != nil)
            }.nanoseconds
        }
        report.add(
            "disk, first look-up after start", "\(count) entries", median(times) / 1e6, "ms", goal: .atMost(1))
    }

    /// A directory that is full makes room for a tenth of itself at a time, as often as it takes to be half empty.
    private static func evictions(in scratch: String, _ report: inout Report) throws {
        let title = "disk, eviction: processor time an evicted entry"
        func cost(_ count: Int) -> Double {
            let directory = "\(scratch)/evict-\(count)"
            let body = [UInt8](repeating: 7, count: 4_000)
            let full = DiskCache(directory: directory, limits: DiskCache.Limits(totalSize: 1 << 30))
            for index in 0..<count { full.store(body, for: CacheKey(["\(index)"])) }
            // The medium writes in the background what was stored, which is not what is measured.
            sync()
            let size = full.contents().size
            let time = processorTime(per: count / 2) {
                for tenths in 5..<10 {
                    let limits = DiskCache.Limits(totalSize: size * (14 - tenths) / 10)
                    DiskCache(directory: directory, limits: limits).sweep()
                }
            }
            check(full.contents().entries <= count / 2 + 1)
            return time
        }
        // In turn, and the less disturbed of each.
        let costs = (0..<3).map { _ in (cost(6_000), cost(60_000)) }
        let few = costs.map(\.0).min() ?? 0
        let many = costs.map(\.1).min() ?? 0
        report.add(title, "6,000 entries", few / 1_000, "µs")
        report.add(title, "60,000 entries", many / 1_000, "µs")
        report.add(title, "60,000 beside 6,000", many / few, "×", goal: .atMost(1.3))
    }

    private static func write(_ body: [UInt8], _ path: String) {
        let file = open(path + ".new", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        check(Glibc.write(file, body, body.count) == body.count)
        close(file)
        check(rename(path + ".new", path) == 0)
    }

    private static func read(_ path: String, _ size: Int) -> Int {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, Glibc.read(file, buffer.baseAddress, size))
        }.count
    }

    private static func check(_ isRight: Bool) { precondition(isRight, "the disk does what it is told") }

    private static func remove(tree: String) {
        guard let directory = opendir(tree) else { return }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name == "." || name == ".." { continue }
            if unlink("\(tree)/\(name)") != 0 { remove(tree: "\(tree)/\(name)") }
        }
        closedir(directory)
        rmdir(tree)
    }
}
