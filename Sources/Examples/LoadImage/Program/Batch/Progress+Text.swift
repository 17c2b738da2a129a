import CommandOutput
import ImagePipeline

extension LoadProgress {
    /// `43 KB of 1.2 MB`.
    var text: String {
        received.asBytes + (expected.map { " of \($0.asBytes)" } ?? "")
    }
}
