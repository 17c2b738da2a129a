import CommandOutput
import ImageCodecs
import PhotoGenerator
import Streams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// make-photos DIRECTORY COUNT: photos to try programs on, in folders of a hundred; no two alike, each time the same. Most
// have 2 to 4 megapixels, as a phone's over a chat; one in ten has 12.

struct Sort {
    let size: PixelSize
    let isProgressive: Bool

    init(_ number: Int) {
        let (longer, shorter) =
            switch number % 10 {
            case 0: (4000, 3000)
            case 1...5: (1600, 1200)
            default: (2304, 1536)
            }
        size =
            number % 3 == 0 ? PixelSize(width: shorter, height: longer) : PixelSize(width: longer, height: shorter)
        isProgressive = number % 5 == 4
    }
}

func makePhoto(_ number: Int, in directory: OutputDirectory) throws {
    let sort = Sort(number)
    guard let image = PhotoGenerator(seed: UInt64(number)).image(sort.size) else { return }
    let bytes = try image.encoded(as: .jpeg(quality: 88, progressive: sort.isProgressive))
    try directory.write(bytes, as: "\(number / 100)/\(number).jpg")
}

guard CommandLine.arguments.count == 3, let count = Int(CommandLine.arguments[2]), count > 0 else {
    Console.error("usage: make-photos DIRECTORY COUNT")
    exit(2)
}
let threads = ThreadPoolScheduler(width: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
do {
    let directory = try OutputDirectory(CommandLine.arguments[1], record: ".make-photos")
    let photos = (0..<count).publisher.setFailureType(to: (any Error).self).flatMap(maxPublishers: .max(threads.width))
    {
        number in
        Deferred { Result { try makePhoto(number, in: directory) }.publisher }.subscribe(on: threads)
    }
    for try await _ in photos.values {}
} catch {
    Console.error("\(error)")
    exit(1)
}
