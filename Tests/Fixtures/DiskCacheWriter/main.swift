import ImagePipeline

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// Writes entries into the cache directory that is its first argument until it is killed: for the test that kills it.
// Entry n has a body of a length and content that follow from n, written in chunks, so that a kill hits every stage.
guard CommandLine.arguments.count > 1 else { fatalError("usage: disk-cache-writer DIRECTORY") }
let cache = DiskCache(directory: CommandLine.arguments[1])
var serial = 0
print("writing")
fflush(nil)
while true {
    let number = serial % 50
    if var writer = cache.writer(for: CacheKey(["entry", "\(number)"]), metadata: Array("\(number)".utf8)) {
        for chunk in 0..<(1 + number % 5) {
            writer.append([UInt8](repeating: UInt8(truncatingIfNeeded: number &+ chunk), count: 20_000 + number))
        }
        writer.publish()
    }
    serial += 1
}
