let arguments = CommandLine.arguments.dropFirst()
let number = arguments.dropFirst().first.flatMap { Int($0) }
switch arguments.first {
case "pace": Pace.measure(number ?? 20_000_000)
case "growth": Growth.measure(number ?? 100_000)
default:
    print(
        """
        bench-memory pace [values]      the peak memory for five values of a synchronous source of 20,000,000
        bench-memory growth [rounds]    the bytes that stay behind after 100,000 rounds
        """)
}
