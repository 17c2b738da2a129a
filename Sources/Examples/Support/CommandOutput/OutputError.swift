import Files

/// Why a result was not written, and what to do about it.
public enum OutputError: Error, Equatable, CustomStringConvertible {
    /// A system call failed with an `errno`; the action is for instance `write`.
    case system(action: String, path: String, code: Int32)
    /// The output is a directory that is read.
    case isInput(output: String, input: String)
    /// The output lies in a directory that is read.
    case insideInput(output: String, input: String)
    /// A directory that is read lies in the output.
    case containsInput(output: String, input: String)
    /// The result would replace a file that is read.
    case replacesInput(String)
    /// Something has the result's name that no earlier run has made, or that was changed since.
    case occupied(String)
    /// The place for the result is not a directory, or is a link to one.
    case notADirectory(String)
    /// Another run is at work in the directory.
    case busy(String)
    /// Another file has the name of the record.
    case foreignRecord(String)

    public var description: String {
        switch self {
        case .system(let action, let path, let code): "cannot \(action) \(path): \(String(cString: strerror(code)))"
        case .isInput(let output, let input):
            "the output \(output) is the input \(input): name a directory that holds no originals"
        case .insideInput(let output, let input):
            "the output \(output) lies in the input \(input): name a directory outside of it"
        case .containsInput(let output, let input):
            "the output \(output) contains the input \(input): name a directory beside it"
        case .replacesInput(let path): "\(path) is itself one of the inputs: name another output"
        case .occupied(let path):
            "\(path) is in the way: no earlier run made it, or it was changed since. "
                + "Move it away, or name another output"
        case .notADirectory(let path):
            "\(path) is in the way: it is no directory, or a link, and results are not written through links"
        case .busy(let path): "another run is at work in \(path): wait for its end, or name another output"
        case .foreignRecord(let path):
            "\(path) is not a record that this program wrote: move it away, or name another output"
        }
    }
}
