import ImagePipeline

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// Writes entries into the cache directory that is its first argument, for tests with processes.
//
//     disk-cache-writer DIRECTORY                         until it is killed
//     disk-cache-writer DIRECTORY LIMIT COUNT SIZE NAME   so many entries of a size, with a limit of the total; prints statistics
let arguments = CommandLine.arguments
switch arguments.count {
case 2: writeForever(in: arguments[1])
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
default: fatalError("usage: disk-cache-writer DIRECTORY [LIMIT COUNT SIZE NAME]")
}

/// Entry n has a body of a length and content that follow from n, written in chunks, so that a kill hits every stage.
func writeForever(in directory: String) {
    let cache = DiskCache(directory: directory)
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
}
