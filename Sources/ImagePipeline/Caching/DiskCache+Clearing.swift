import Files

extension DiskCache {
    /// Does what ``report(_:while:)`` does for a file of the cache. One that is not there is no failure, and a folder in its place makes way.
    func report(_ error: SystemError, from path: String, while work: FaultLog.Work) {
        switch error.code {
        case ENOENT: break
        case EISDIR: clear(path, of: error)
        default: report(error, while: work)
        }
    }

    /// A name that nothing has, for what stands where a file of the cache belongs.
    static func placeAside(in directory: String) -> String {
        "\(directory)/imagestreams-aside-\(String(UInt64.random(in: .min ... .max), radix: 16))"
    }

    /// Removes a folder that stands where a file of the cache belongs, or moves it if there is something in it, which is not the cache's to
    /// remove. It would stay for ever, and fail each use of that file.
    private func clear(_ path: String, of error: SystemError) {
        let aside = Self.placeAside(in: directory)
        // The slash lets it fail for a file that has taken its place by now.
        if rmdir(path) == 0 || rename("\(path)/", aside) == 0 { return didClear(error) }
        let failure = SystemError("rename")
        if failure.code != ENOENT, failure.code != ENOTDIR { report(failure, while: .clearing) }
    }
}
