import Dispatch
import Files

extension DiskCache {
    /// Makes the file of an entry that is to be written, and the directory if somebody has removed it.
    func makeFile() throws(SystemError) -> TemporaryFile {
        if beginsToWrite() { removeLeftovers() }
        do throws(SystemError) {
            return try TemporaryFile.make(in: directory)
        } catch {
            guard error.code == ENOENT else { throw error }
            try Directory.make(directory, mode: 0o700)
            return try TemporaryFile.make(in: directory)
        }
    }

    /// Removes what writers have left behind that were killed. Only names are looked at: a full listing waits until room is needed.
    private func removeLeftovers() {
        try? Directory.forEachName(in: directory) { name in
            if let name, TemporaryFile.isName(name) { TemporaryFile.removeIfAbandoned("\(directory)/\(name)") }
        }
    }

    /// Takes into account what is about to be written, and makes room when that is needed, or waits until another thread has made it.
    func willWrite(_ size: Int) {
        var present = total.add(size)
        let end = patience.map { DispatchTime.now() + $0 } ?? .distantFuture
        // Without a total nobody knows how much there is.
        while present ?? .max > limits.totalSize {
            let isUncounted = present == nil
            if beginsToMakeRoom() {
                // Room for a tenth more than is needed, so that the next listing is many writes away. Once is enough, even where the total
                // is too large still: others who add make room themselves, and what cannot be listed or removed stays. The listing has counted
                // what is about to be written: its file is there by now.
                sweep(keeping: limits.totalSize, slack: limits.totalSize / 10)
                endsToMakeRoom()
                return
            }
            guard room.wait(timeout: end) == .success else { return }
            present = isUncounted ? total.add(size) : total.value
        }
    }

    /// Does what needs room on the medium; if there is none, old entries make it, and it is done again.
    ///
    /// - Parameter size: The number of bytes that are about to be written.
    func makingRoom<Result: ~Copyable>(
        for size: Int, _ body: () throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        var attempts = 4
        while true {
            do throws(SystemError) {
                return try body()
            } catch {
                attempts -= 1
                guard error.isOutOfSpace, attempts > 0, makesRoom(for: size) else { throw error }
            }
        }
    }

    /// Removes the least recently used entries of at least this size, and of a tenth of all.
    private func makesRoom(for size: Int) -> Bool {
        guard let before = sweep(keeping: limits.totalSize)?.contents, before.entries > 0 else { return false }
        let after = sweep(keeping: before.size - max(size, before.size / 10))
        return after.map { $0.removedEntries > 0 } ?? false
    }
}
