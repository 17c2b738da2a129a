import CLibrary

/// What is asked of the machine.
enum Machine {
    /// Processors that are on.
    static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
