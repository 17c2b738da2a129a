import CThread

/// How often each race is run: 10,000 times under the thread sanitizer, where `scripts/sanitize` says so.
let raceCount = getenv("STREAMS_RACES").flatMap { Int(String(cString: $0)) } ?? 500
