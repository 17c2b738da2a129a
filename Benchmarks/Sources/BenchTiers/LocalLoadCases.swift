import BenchPictures
import Dispatch
import ImagePipeline
import Synchronization

/// A file's way through the whole pipeline beside decoding its bytes.
enum LocalLoadCases {
    static func run(_ report: inout Report) throws {
        let scratch = "/tmp/bench-tiers-photos"
        let path = try Photos(in: "../shared/data/photos", scratch: scratch).baseline()
        let title = "cold local load of 12 megapixels, filled into 512×512: processor time"
        let rendition = Rendition.fill(PixelSize(width: 512, height: 512))
        let pipeline = ImageLoader.standard()
        let bytes = try Files.read(path)
        let reload = Mutex(0)
        var (alone, loaded) = ([Double](), [Double]())
        for _ in 0..<101 {
            alone.append(
                try processorTime(per: 1) {
                    _ = try Image.decode(bytes, options: DecodeOptions(as: rendition, previews: false))
                })
            loaded.append(
                processorTime(per: 1) {
                    var request = ImageRequest(path, as: rendition, previews: false)
                    request.caching = .noStore
                    request.version = "\(reload.withLock { $0 += 1; return $0 })"
                    let isOver = DispatchSemaphore(value: 0)
                    let load = pipeline.events(for: request).sink(
                        receiveCompletion: { _ in isOver.signal() }, receiveValue: { _ in })
                    isOver.wait()
                    load.cancel()
                })
        }
        report.add(title, "decode alone", median(alone) / 1e6, "ms")
        report.add(title, "through the pipeline", median(loaded) / 1e6, "ms")
        // Each beside the one before it, since the machine's pace changes in the run.
        report.add(title, "ratio", median(zip(loaded, alone).map { $0 / $1 }), "×", goal: .atMost(1.05))
    }
}
