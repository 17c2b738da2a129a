import CZlib
import Streams
import StreamsTesting
import Testing

@testable import ImagePipeline

/// A load from a peer that a test writes itself.
enum PeerLoad {
    static let ok = "HTTP/1.1 200 OK\r\n"
    static let body = String(repeating: "x", count: 3_000)

    /// Loads to the end.
    static func run(
        _ url: String, _ options: TransportOptions, cache: DiskCache? = nil
    ) -> RecordingSubscriber<DataEvent, LoadError> {
        let recorder = RecordingSubscriber<DataEvent, LoadError>()
        let source = HTTPSource(CurlTransport(options))
        if let cache {
            source.cached(in: cache, on: ThreadPoolScheduler(width: 1)).events(for: ImageRequest(url)).subscribe(
                recorder)
        } else {
            source.events(for: ImageRequest(url)).subscribe(recorder)
        }
        #expect(recorder.waitForCompletion())
        return recorder
    }

    static func gzipped(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        // 16 more than the window is gzip.
        deflateInit2_(
            &stream, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var input = bytes
        return [UInt8](unsafeUninitializedCapacity: bytes.count + 1_024) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                deflate(&stream, Z_FINISH)
            }
            count = Int(stream.total_out)
        }
    }
}

extension TransportOptions {
    /// Limits that a test need not wait long for.
    static var hasty: TransportOptions {
        var options = TransportOptions()
        options.limits = TransferLimits(
            connect: .seconds(20), stall: .init(bytes: 500, in: .milliseconds(400)), total: .seconds(3),
            body: 1 << 20, head: 64 << 10)
        return options
    }
}
