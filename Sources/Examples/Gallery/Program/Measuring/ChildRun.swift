import CLibrary

/// This program once more, in a process of its own, so that its memory is its own.
enum ChildRun {
    /// Runs it with arguments, and returns what it has noted; nil if it failed.
    static func notes(_ settings: Settings) -> Notes? {
        unlink(settings.notes)
        // Pixels go back to the system when an image is let go of: glibc would otherwise raise the size from which they do.
        setenv("MALLOC_MMAP_THRESHOLD_", "262144", 1)
        // Two heaps for all threads: glibc would otherwise keep one for each of a dozen, with what that one has let go of.
        setenv("MALLOC_ARENA_MAX", "2", 1)
        guard let program = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(program) }
        var arguments = [strdup(program)] + settings.arguments.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        guard posix_spawn(&child, program, nil, nil, &arguments, environ) == 0 else { return nil }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status == 0 ? Notes(reading: settings.notes) : nil
    }
}
