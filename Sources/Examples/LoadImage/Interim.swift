import ImagePipeline
import Streams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

// Files only, until the pipeline's sources are here.

enum Provenance: Sendable, Hashable { case memory, disk, network, file, data }

enum LoadError: Error {
    case unreadable(String, Int32)
    case notAFile(String)
    case decoding(DecodeError)
}

struct Progress: Sendable {
    var received = 0
    var expected: Int?
}

enum ImageEvent: Sendable {
    case progress(Progress)
    case degraded(Image, quality: Double)
    case final(Image, Provenance)
}

struct Loader: Sendable {
    init(cache: String?) throws {}

    func events(for input: String, in box: PixelSize) -> AnyPublisher<ImageEvent, LoadError> {
        Deferred { () -> AnyPublisher<ImageEvent, LoadError> in
            do throws(LoadError) {
                return [ImageEvent.final(try load(input, box), .file)].publisher
                    .mapError { (never: Never) -> LoadError in }.eraseToAnyPublisher()
            } catch {
                return Fail(error: error).eraseToAnyPublisher()
            }
        }.eraseToAnyPublisher()
    }

    private func load(_ path: String, _ box: PixelSize) throws(LoadError) -> Image {
        if path.contains("://") { throw .notAFile(path) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path, errno) }
        defer { close(descriptor) }
        let decoder = ContentDecoder(options: DecodeOptions(targetSize: box))
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        do throws(DecodeError) {
            while true {
                let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
                if count <= 0 { return try decoder.finish() }
                try decoder.append(Array(chunk[..<count]))
            }
        } catch {
            throw .decoding(error)
        }
    }
}
