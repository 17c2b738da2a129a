import Dispatch

/// Cancels a Dispatch timer.
///
/// Unchecked because Dispatch's Swift overlay does not mark its sources Sendable; `cancel` is safe from any thread, and
/// is all that is called from here.
final class TimerCancellable: Cancellable, @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    init(_ timer: any DispatchSourceTimer) {
        self.timer = timer
    }

    func cancel() {
        timer.cancel()
    }
}
