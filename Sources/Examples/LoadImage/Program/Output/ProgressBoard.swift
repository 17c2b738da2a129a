import CommandOutput
import Synchronization

/// One line for each image. On a terminal the lines stay in place and change; elsewhere each change that matters is a
/// line of its own. May be called from any thread.
final class ProgressBoard: Sendable {
    private struct State {
        var texts: [String]
        var shown = 0
        var lastDrawn: ContinuousClock.Instant?
    }

    /// Redrawing more often than this helps nobody.
    private static let pause = Duration.milliseconds(50)

    /// Of a longer name the end is shown.
    private static let nameWidth = 32

    private let names: [String]
    private let isLive: Bool
    private let state: Mutex<State>

    /// - Parameter isLive: whether the output is a terminal whose cursor can be moved.
    init(names: [String], isLive: Bool = Console.isTerminal) {
        self.names = names.map(Console.visible).map {
            $0.count > Self.nameWidth ? "…" + $0.suffix(Self.nameWidth - 1) : $0
        }
        self.isLive = isLive
        state = Mutex(State(texts: names.map { _ in "waiting" }))
    }

    /// - Parameter isLasting: whether this is worth a line where lines cannot change.
    func show(_ text: String, for index: Int, isLasting: Bool) {
        state.withLock { state in
            state.texts[index] = text
            if isLive {
                let now = ContinuousClock.now
                let isDue = state.lastDrawn.map { $0.duration(to: now) >= Self.pause } ?? true
                if isDue || isLasting { draw(&state, at: now) }
            } else if isLasting {
                Console.line("\(names[index]): \(text)")
            }
        }
    }

    private func draw(_ state: inout State, at now: ContinuousClock.Instant) {
        // Up to the first line, then each line anew, cleared to its end.
        var frame = state.shown > 0 ? "\u{1B}[\(state.shown)A" : ""
        let width = Console.width
        for (name, text) in zip(names, state.texts) {
            frame += "\r\u{1B}[2K" + "\(name): \(text)".prefix(width) + "\n"
        }
        state.shown = names.count
        state.lastDrawn = now
        Console.write(frame)
    }
}
