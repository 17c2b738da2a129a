import Streams
import StreamsTesting

/// An upstream that does something else each time it is subscribed to.
private func attempts(_ scene: Diagram.Scene, _ diagrams: String...) -> AnyPublisher<String, TestFailure> {
    let number = CurrentValueSubject<Int, Never>(0)
    return Deferred {
        let diagram = diagrams[min(number.value, diagrams.count - 1)]
        number.value += 1
        return scene.inner("", diagram)
    }.eraseToAnyPublisher()
}

extension Catalogue {
    /// Operators about failures and ends.
    static let failing: [Diagram] = [
        Diagram("AssertNoFailure", "assertNoFailure", "1---2---3|", "assertNoFailure()") { $0.texts.assertNoFailure() },
        Diagram("Catch", "catch", "1-2-✕", "catch { _ in Just(9) }") { $0.texts.catch { _ in Just("9") } },
        Diagram("ReplaceError", "replaceError", "1-2-✕", "replaceError(with: 9)") { $0.texts.replaceError(with: "9") },
        Diagram("MapError", "mapError", "1---2---✕", "mapError { b($0) }") {
            $0.texts.mapError { _ in TestFailure("b") }
        },
        Diagram("Retry", "retry", [("1st attempt", "1-✕"), ("2nd attempt", "1-2-✕"), ("3rd attempt", "1-2-3|")]) {
            scene in
            [Diagram.Output("retry(2)", attempts(scene, "1-✕", "1-2-✕", "1-2-3|").retry(2))]
        },
        Diagram("Retry", "retry", [("1st attempt", "1-✕"), ("2nd attempt", "1-2|")]) { scene in
            [
                Diagram.Output(
                    "retry(2, backOff: .constant(4))",
                    attempts(scene, "1-✕", "1-2|").retry(
                        2, backOff: .constant(.milliseconds(4)), scheduler: scene.scheduler))
            ]
        },
        Diagram("Retry", "repeat", "1-2|", "repeat(3)", isCold: true) { $0.texts.repeat(3) },
        Diagram("RetryWhen", "retryWhen", [("1st attempt", "1-✕"), ("2nd attempt", "1-2|"), ("trigger", "----x|")]) {
            scene in
            [
                Diagram.Output(
                    "retryWhen { _ in trigger }",
                    attempts(scene, "1-✕", "1-2|").retryWhen { _ in scene.inputs[2] })
            ]
        },
        Diagram("SetFailureType", "setFailureType", "1---2---3|", "setFailureType(to: E.self)") {
            $0.texts.replaceError(with: "").setFailureType(to: TestFailure.self)
        },
        Diagram("SwitchIfEmpty", "switchIfEmpty", "-----|", "switchIfEmpty(other)") { scene in
            scene.texts.switchIfEmpty(scene.inner("", "a-b|"))
        },
        Diagram("ReplaceEmpty", "replaceEmpty", "-----|", "replaceEmpty(with: 9)") {
            $0.texts.replaceEmpty(with: "9")
        },
        Diagram("TryCatch", "tryCatch", [("upstream", "1-2-✕")]) { scene in
            [
                Diagram.Output("tryCatch { _ in Just(9) }", scene.texts.tryCatch { _ in Just("9") }),
                Diagram.Output(
                    "tryCatch, throws", scene.texts.tryCatch { failure -> Just<String> in throw failure }),
            ]
        },
    ]

    /// Operators that pass everything on: about demand, threads, and for looking on.
    static let flowing: [Diagram] = [
        Diagram("Breakpoint", "breakpoint", "1---2---3|", "breakpoint(receiveOutput: { $0 > 3 })") {
            $0.ints.breakpoint(receiveOutput: { $0 > 3 })
        },
        Diagram("Breakpoint", "breakpointOnError", "1---2---3|", "breakpointOnError()") {
            $0.texts.breakpointOnError()
        },
        Diagram("Checkpoint", "checkpoint", "1---2---✕", "checkpoint(\"decode\")") { $0.texts.checkpoint("decode") },
        Diagram("ContractChecked", "contractChecked", "1---2---3|", "contractChecked(\"decoder\")") {
            $0.texts.contractChecked("decoder")
        },
        Diagram("Print", "print", "1---2|", "print(\"a\")") { $0.texts.print("a", to: Nowhere()) },
        Diagram("Print", "debug", "1---2|", "debug(\"a\") { log($0) }") { $0.texts.debug("a") { _ in } },
        Diagram(
            "Buffer", "buffer", "1-2-3-4-5|", "buffer(size: 3, …, .dropNewest)", requests: "-------2-----3"
        ) { $0.texts.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest) },
        Diagram("HandleEvents", "handleEvents", "1---2---3|", "handleEvents(…)") {
            $0.texts.handleEvents(receiveOutput: { _ in })
        },
        Diagram(
            "OnBackpressure", "onBackpressureBuffer", "1-2-3-4-5|", "onBackpressureBuffer(3)",
            requests: "---------2---3"
        ) { $0.texts.onBackpressureBuffer(3) },
        Diagram(
            "OnBackpressure", "onBackpressureDrop", "1-2-3-4-5|", "onBackpressureDrop()", requests: "-1----3"
        ) { $0.texts.onBackpressureDrop() },
        Diagram(
            "OnBackpressure", "onBackpressureLatest", "1-2-3-4-5|", "onBackpressureLatest()", requests: "-----2------3"
        ) { $0.texts.onBackpressureLatest() },
        Diagram("ReceiveOn", "receive", "1-2-3---4|", "receive(on: s)") { $0.texts.receive(on: $0.scheduler) },
        Diagram("SubscribeOn", "subscribe", "1-2-3|", "subscribe(on: s)", isCold: true) {
            $0.texts.subscribe(on: $0.scheduler)
        },
    ]
}

private struct Nowhere: TextOutputStream, Sendable {
    mutating func write(_ string: String) {}
}
