#if os(Linux)
    import Files
    import TestSupport
    import Testing

    @testable import ImagePipeline

    @Suite("Lookups for which the system has nothing left")
    struct ScarceNameTests {
        @Test("Without a descriptor for its thread a lookup ends at once, and is left to the system")
        func noDescriptors() async {
            await #expect(processExitsWith: .success) {
                let answers = Counter()
                let client = DNSClient { NameServices(resolver: "nameserver 127.0.0.1\n", switching: "") }
                setDescriptorLimit(0)
                _ = client.lookUp("a.example") { outcome in
                    if case .isElsewhere = outcome { answers.add() }
                }
                let atOnce = answers.value
                setDescriptorLimit(256)
                if atOnce != 1 { exit(1) }
            }
        }
    }

    /// Sets the number of files that may be open, beyond which those that are open stay so.
    private func setDescriptorLimit(_ count: rlim_t) {
        var limit = rlimit(rlim_cur: count, rlim_max: 1_024)
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
        #else
            setrlimit(RLIMIT_NOFILE, &limit)
        #endif
    }
#endif
