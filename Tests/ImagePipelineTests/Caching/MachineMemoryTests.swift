import Files
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("The memory of a machine and of its control groups")
struct MachineMemoryTests {
    private let root = TemporaryDirectory()

    private func write(_ text: String, _ path: String) throws {
        _ = path.split(separator: "/").dropLast().reduce(root.path) { directory, name in
            mkdir("\(directory)/\(name)", 0o700)
            return "\(directory)/\(name)"
        }
        let file = try FileDescriptor(opening: "\(root.path)/\(path)", O_WRONLY | O_CREAT | O_TRUNC)
        try file.write(Array(text.utf8), at: 0)
    }

    private var memory: MachineMemory { MachineMemory(root: root.path) }

    @Test("The limit is the least of the machine's memory and of those of all groups around the process")
    func limit() throws {
        #expect(memory.limit == 1 << 30)
        try write("MemTotal: 1000 kB\nMemAvailable: 900 kB\n", "proc/meminfo")
        #expect(memory.limit == 1_024_000)
        try write("3:cpu,memory:/old\n1:pids:/other\n0::/outer/inner\n", "proc/self/cgroup")
        #expect(memory.limit == 1_024_000)
        let limits: [(path: String, text: String, limit: Int)] = [
            ("fs/cgroup/outer/inner/memory.max", "max", 1_024_000),
            ("fs/cgroup/outer/inner/memory.max", "900000", 900_000),
            ("fs/cgroup/outer/memory.max", "800000", 800_000),
            ("fs/cgroup/memory.max", "700000", 700_000),
            ("fs/cgroup/memory/old/memory.limit_in_bytes", "600000", 600_000),
            ("fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712", 600_000),
            ("fs/cgroup/other/memory.max", "5", 600_000),
        ]
        for (path, text, limit) in limits {
            try write("\(text)\n", "sys/\(path)")
            #expect(memory.limit == limit, "\(path)")
        }
    }

    @Test("A cache takes a fifth of the memory, 512 MiB at most")
    func cacheLimit() throws {
        for (megabytes, limit) in [(1_000, 200), (2_560, 512), (2_565, 512), (64_000, 512)] {
            try write("MemTotal: \(megabytes << 10) kB\n", "proc/meminfo")
            #expect(memory.cacheLimit == limit << 20)
        }
        #expect(MachineMemory.standardCacheLimit == MachineMemory.current.cacheLimit)
    }

    @Test("What is no line of a group names none")
    func oddLines() throws {
        try write("MemTotal:\nMemTotal: 1000 kB\n", "proc/meminfo")
        try write("5\n", "sys/fs/cgroup/memory.max")
        for line in ["0:", "0", "1::/", "0:name=systemd:/", "x:cpu:/"] {
            try write("\(line)\n", "proc/self/cgroup")
            #expect(memory.limit == 1_024_000, "\(line)")
        }
        try write("0::/\n", "proc/self/cgroup")
        #expect(memory.limit == 5)
        // A name may have colons in it.
        try write("0::/a:b:c\n", "proc/self/cgroup")
        try write("4\n", "sys/fs/cgroup/a:b:c/memory.max")
        #expect(memory.limit == 4)
    }

    @Test(
        "Memory that is in use counts but for what files were read lately, where that is known",
        arguments: [
            ("1000", "850", "inactive_file 0\n", 0.85), ("1000", "850", "inactive_file 100\n", 0.75),
            ("1000", "850", nil, 0.85), ("1000", "850", "anon 5\n", 0.85),
            ("1000", "850", "anon 5\ninactive_file 50", 0.8), ("1", "1", "inactive_file 0\n", 1),
            ("0", "850", nil, 0), ("max", "850", nil, 0), ("1000", "x", nil, 0),
        ] as [(String, String, String?, Double)])
    func use(limit: String, current: String, statistics: String?, share: Double) throws {
        try write("0::/group\n", "proc/self/cgroup")
        let group = "sys/fs/cgroup/group"
        try write(limit, "\(group)/memory.max")
        try write(current, "\(group)/memory.current")
        if let statistics { try write(statistics, "\(group)/memory.stat") }
        #expect(memory.usedShare == share)
        for (total, available, machine) in [
            ("MemTotal: 1000 kB", "", 0), ("", "MemAvailable: 1 kB", 0),
            ("MemTotal: 0 kB", "MemAvailable: 0 kB", 0),
            ("MemTotal: 1000 kB", "MemAvailable: 1000 kB", 0), ("MemTotal: 1000 kB", "MemAvailable: 500 kB", 0.5),
            ("MemTotal: 1000 kB", "MemAvailable: 0 kB", 1), ("MemTotal: 1 kB", "MemAvailable: 0 kB", 1),
        ] {
            try write("\(total)\n\(available)\n", "proc/meminfo")
            #expect(memory.usedShare == max(share, machine), "\(total), \(available)")
        }
    }

    @Test(
        "From 85 of a hundred on the pressure is moderate, from 95 on critical",
        arguments: [
            (0, nil), (84_999, nil), (85_000, .moderate), (94_999, .moderate), (95_000, .critical),
            (100_000, .critical),
        ] as [(Int, MemoryPressure?)])
    func pressure(used: Int, pressure: MemoryPressure?) throws {
        try write("0::/group\n", "proc/self/cgroup")
        try write("100000", "sys/fs/cgroup/group/memory.max")
        try write("\(used)", "sys/fs/cgroup/group/memory.current")
        #expect(memory.pressure == pressure)
    }

    @Test("The kernel counts what the nearest group has waited, and what the machine has")
    func paths() throws {
        #expect(memory.pressurePaths == ["\(root.path)/proc/pressure/memory"])
        try write("0::/outer/inner\n", "proc/self/cgroup")
        #expect(
            memory.pressurePaths == [
                "\(root.path)/sys/fs/cgroup/outer/inner/memory.pressure", "\(root.path)/proc/pressure/memory",
            ])
    }
}
