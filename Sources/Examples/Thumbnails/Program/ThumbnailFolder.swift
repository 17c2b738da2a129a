import CommandOutput

/// The output directory of one directory's thumbnails. One run has it at a time.
final class ThumbnailFolder: Sendable {
    let output: OutputDirectory

    init(_ path: String, settings: String, apartFrom inputs: InputPlaces) throws(SurveyError) {
        do {
            output = try OutputDirectory(path, record: ".thumbnails", settings: settings, apartFrom: inputs)
        } catch {
            throw .output(error)
        }
    }

    // Not when the last photo goes that knows the output: streams may keep one a little longer than the work takes.
    deinit { output.unlock() }
}
