import CLibrary
import CommandOutput
import ImageCodecs
import PhotoGenerator
import Streams

// make-photos DIRECTORY COUNT: photos to try programs on, in folders of a hundred; no two alike, each time the same. Most
// have 2 to 4 megapixels, as a phone's over a chat; one in ten has 12.
//
// make-photos DIRECTORY COUNT --numbered: small ones of about 40 KB, each with its number in its pixels (IdentityStrip), a date
// and a thumbnail: 60,000 of them in minutes.

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

func makeNumbered(_ number: Int, of photos: NumberedPhotos, in directory: OutputDirectory) throws {
    try directory.write(try photos.file(number), as: "\(number / 1000)/\(number).jpg")
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard (2...3).contains(arguments.count), let count = Int(arguments[1]), count > 0,
    arguments.count == 2 || arguments[2] == "--numbered"
else {
    Console.error("usage: make-photos DIRECTORY COUNT [--numbered]")
    exit(2)
}
let threads = ThreadPoolScheduler(width: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
do {
    try Arguments.requireText()
    let directory = try OutputDirectory(arguments[0], record: ".make-photos")
    let numbered = arguments.count == 3 ? try NumberedPhotos() : nil
    let photos = (0..<count).publisher.setFailureType(to: (any Error).self).flatMap(maxPublishers: .max(threads.width))
    {
        number in
        Deferred {
            Result {
                if let numbered { return try makeNumbered(number, of: numbered, in: directory) }
                try makePhoto(number, in: directory)
            }.publisher
        }.subscribe(on: threads)
    }
    for try await _ in photos.values {}
} catch {
    Console.error("\(error)")
    exit(1)
}
