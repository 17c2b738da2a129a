import BenchPictures
import CAllocations
import Dispatch
import Glibc
import ImagePipeline
import Streams

/// Whole pipelines at work.
struct Scenes {
    /// 12 megapixels.
    private let photo: String
    /// One of a size as they are shown.
    private let smallPhoto: String
    /// A directory for pictures made here.
    private let scratch: String
    private let sides = [2048, 1448, 1024, 724, 512, 362, 256, 181, 128, 64]

    init(_ photos: Photos, scratch: String) throws {
        (photo, smallPhoto) = (try photos.baseline(), try photos.medium())
        self.scratch = scratch
    }

    private func request(_ path: String, side: Int, previews: Bool = false) -> ImageRequest {
        ImageRequest(path, as: .fit(PixelSize(width: side, height: side)), previews: previews)
    }

    private func pipeline(
        _ bytes: some Source<ImageRequest, DataEvent>, width: Int = 2
    ) -> some Source<ImageRequest, ImageEvent> {
        let workers = WorkQueue(on: ThreadPoolScheduler(width: width))
        return bytes.coalesced().decoded(in: workers).processed(in: workers).coalesced()
    }

    // MARK: One pass

    func sizes() -> [Row] {
        let name = "ten sizes of a 12-megapixel photo"
        // Both find their memory warm: the C library would give that of ten pictures back to the system each time, and that of one not.
        keep_free_memory()
        // Each beside the one before it, since the machine's pace changes in the run.
        var (alone, all) = ([Double](), [Double]())
        for _ in 0..<150 {
            alone.append(Measure.processorTime(rounds: 1) { load([request(photo, side: sides[0])]) })
            all.append(Measure.processorTime(rounds: 1) { load(sides.map { request(photo, side: $0) }) })
        }
        let ratio = Measure.median(zip(all, alone).map { $0 / $1 })
        let files = CountedFiles()
        let crowd = Crowd()
        let source = pipeline(files)
        for index in 0..<1_000 { crowd.load(request(photo, side: sides[index % 10]), from: source) }
        crowd.wait()
        return [
            Row(name: name, subject: "the largest alone", value: Measure.median(alone), unit: "ms of processor time"),
            Row(name: name, subject: "all", value: Measure.median(all), unit: "ms of processor time"),
            Row(name: name, subject: "all, beside the largest alone", value: ratio, unit: "ratio", goal: 1.3),
            Row(name: name, subject: "1,000 requests", value: Double(files.loads), unit: "reads of the file", goal: 1),
            Row(
                name: name, subject: "1,000 requests", value: Double(1_000 - crowd.finalCount),
                unit: "without an image",
                goal: 0),
        ]
    }

    private func load(_ requests: [ImageRequest]) {
        load(requests, from: pipeline(CountedFiles()))
    }

    private func load(_ requests: [ImageRequest], from source: some Source<ImageRequest, ImageEvent>) {
        let crowd = Crowd()
        for request in requests { crowd.load(request, from: source) }
        crowd.wait()
    }

    // MARK: Fairness

    func fairness() throws -> [Row] {
        let (huge, tiny) = ("\(scratch)/huge.png", "\(scratch)/tiny.png")
        try write(pattern(6_000, 5_000), to: huge)
        try write(pattern(64, 64), to: tiny)
        let name = "a tiny PNG beside two huge ones"
        let source = pipeline(CountedFiles())
        let alone = Measure.wallTime { loadTiny(tiny, from: source) }
        var slowest = 0.0
        for _ in 0..<5 {
            let crowd = Crowd()
            for side in [300, 301] {
                // Of different files, as far as anyone can know: no pass is shared.
                var request = request(huge, side: side)
                request.version = "\(side)"
                crowd.load(request, from: source)
            }
            usleep(50_000)
            slowest = max(slowest, Measure.wallTime(rounds: 1) { loadTiny(tiny, from: source) })
            crowd.cancel()
        }
        return [
            Row(name: name, subject: "alone", value: alone, unit: "ms"),
            Row(name: name, subject: "beside them, the slowest of 5", value: slowest, unit: "ms", goal: 30),
        ]
    }

    private func loadTiny(_ path: String, from source: some Source<ImageRequest, ImageEvent>) {
        let crowd = Crowd()
        crowd.load(request(path, side: 32), from: source)
        crowd.wait()
    }

    func visible() -> [Row] {
        let name = "64 visible loads among 1,000 prefetched ones"
        func load(_ range: Range<Int>, _ priority: LoadPriority, from source: some Source<ImageRequest, ImageEvent>)
            -> Crowd
        {
            let crowd = Crowd()
            for index in range {
                var request = request(smallPhoto, side: 256)
                request.version = "\(index)"
                request.priority = priority
                crowd.load(request, from: source)
            }
            return crowd
        }
        let alone = Measure.wallTime {
            load(0..<64, .high, from: pipeline(CountedFiles())).wait()
        }
        var among = Double.infinity
        for _ in 0..<3 {
            let source = pipeline(CountedFiles())
            let prefetched = load(64..<1_064, .low, from: source)
            among = min(among, Measure.wallTime(rounds: 1) { load(0..<64, .high, from: source).wait() })
            prefetched.cancel()
        }
        return [
            Row(name: name, subject: "alone", value: alone, unit: "ms"),
            Row(name: name, subject: "among them", value: among, unit: "ms"),
            Row(name: name, subject: "among them, beside alone", value: among / alone, unit: "ratio", goal: 1.2),
        ]
    }

    // MARK: Where the time goes

    func profile() throws -> [Row] {
        let name = "a cold load of a 12-megapixel photo to 256"
        let bytes = try read(photo)
        let request = request(photo, side: 256)
        let source = pipeline(CountedFiles())
        keep_free_memory()
        // By turns, since the machine's pace changes in the run.
        var (reads, decodes, loads) = ([Double](), [Double](), [Double]())
        for _ in 0..<101 {
            reads.append(Measure.processorTime(rounds: 1) { _ = try? read(photo) })
            decodes.append(
                Measure.processorTime(rounds: 1) {
                    _ = try? Image.decode(bytes, options: DecodeOptions(as: request.rendition))
                })
            loads.append(Measure.processorTime(rounds: 1) { load([request], from: source) })
        }
        // bench-tiers has the goal of the second one.
        let overhead = Measure.median(zip(loads, zip(decodes, reads)).map { $0 / ($1.0 + $1.1) })
        let ratio = Measure.median(zip(loads, decodes).map { $0 / $1 })
        let (reading, decoding, all) = (Measure.median(reads), Measure.median(decodes), Measure.median(loads))
        return [
            Row(name: name, subject: "reading the file", value: reading, unit: "ms of processor time"),
            Row(name: name, subject: "decoding", value: decoding, unit: "ms of processor time"),
            Row(name: name, subject: "all else", value: all - reading - decoding, unit: "ms of processor time"),
            Row(name: name, subject: "all, beside reading and decoding", value: overhead, unit: "ratio", goal: 1.05),
            Row(name: name, subject: "all, beside decoding", value: ratio, unit: "ratio"),
        ]
    }

    func leaving() -> [Row] {
        func milliseconds(_ count: Int) -> Double {
            var least = Double.infinity
            for _ in 0..<5 {
                let subject = PassthroughSubject<ImageEvent, LoadError>()
                let source = AnySource<ImageRequest, ImageEvent> { _ in subject.eraseToAnyPublisher() }.coalesced()
                let loads = (0..<count).map { _ in
                    source.events(for: request(photo, side: 64))
                        .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
                }
                least = min(least, Measure.processorTime(rounds: 1) { for load in loads { load.cancel() } })
            }
            return least
        }
        let (few, many) = (milliseconds(1_000), milliseconds(10_000))
        let name = "subscribers of one load leave"
        return [
            Row(name: name, subject: "1,000", value: few, unit: "ms of processor time"),
            Row(name: name, subject: "10,000", value: many, unit: "ms of processor time"),
            Row(
                name: name, subject: "each of 10,000, beside each of 1,000", value: many / few / 10, unit: "ratio",
                goal: 2),
        ]
    }

    // MARK: Files

    struct FileError: Error, CustomStringConvertible {
        let description: String
    }

    private func pattern(_ width: Int, _ height: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: width * height * 3)
        var state: UInt32 = 1
        for index in bytes.indices {
            state = state &* 1_664_525 &+ 1_013_904_223
            bytes[index] = UInt8(truncatingIfNeeded: index / 3 % width / 8) &+ UInt8(state >> 29)
        }
        guard let image = Image(size: PixelSize(width: width, height: height), format: .rgb8, bytes: bytes) else {
            throw FileError(description: "no picture")
        }
        return try image.encoded(as: .png(level: 1, reduced: false))
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        guard let file = fopen(path, "wb") else { throw FileError(description: "\(path) cannot be written") }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
            throw FileError(description: "\(path) is short")
        }
    }

    private func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw FileError(description: "\(path) cannot be read") }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let size = ftell(file)
        rewind(file)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = fread(buffer.baseAddress, 1, size, file)
        }
    }
}
