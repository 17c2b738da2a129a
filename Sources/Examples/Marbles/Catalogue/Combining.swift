import Streams
import StreamsTesting

private let inner = "-1-2|"

extension Catalogue {
    /// Operators that bring publishers together.
    static let combining: [Diagram] = [
        Diagram("Lifetime", "prefix", [("upstream", "1---2---3---4|")]) { scene in
            let lifetime = Lifetime()
            scene.scheduler.schedule(after: .milliseconds(10)) { lifetime.end() }
            return [Diagram.Output("prefix(during: lifetime)", scene.texts.prefix(during: lifetime))]
        },
        Diagram("Amb", "amb", "----1---2|", "other", "--a---b|", "amb(other)") { $0.texts.amb($0.other) },
        Diagram("Append", "append", "1-2|", "append(3, 4)") { $0.texts.append("3", "4") },
        Diagram("Append", "prepend", "---1-2|", "prepend(8, 9)") { $0.texts.prepend("8", "9") },
        Diagram(
            "CombineLatest", "combineLatest", "1---2-----3|", "other", "--a---b|", "combineLatest(other)"
        ) { $0.texts.combineLatest($0.other) { $0 + $1 } },
        Diagram("FlatMap", "flatMap", "a-----b------|", "flatMap { … }") { scene in
            scene.texts.flatMap { scene.inner($0, "-1-2-3|") }
        },
        Diagram("FlatMapVariants", "flatMapLatest", "a-------b-----|", "flatMapLatest { … }") { scene in
            scene.texts.flatMapLatest { scene.inner($0, "-1-2-3---4|") }
        },
        Diagram("FlatMapVariants", "flatMapFirst", "a-b-----c-----|", "flatMapFirst { … }") { scene in
            scene.texts.flatMapFirst { scene.inner($0, inner) }
        },
        Diagram("FlatMapVariants", "concatMap", "a-b-----------|", "concatMap { … }") { scene in
            scene.texts.concatMap { scene.inner($0, inner) }
        },
        Diagram("Partition", "partition", [("upstream", "1---2---3---4|")]) { scene in
            let parts = scene.ints.partition { $0 < 3 }
            return [
                Diagram.Output("partition { $0 < 3 }.0", parts.matching),
                Diagram.Output("partition { $0 < 3 }.1", parts.others),
            ]
        },
        Diagram("GroupBy", "groupBy", [("upstream", "1---2---3---4|")]) { scene in
            let groups = scene.ints.groupBy { $0 % 2 }.share()
            return [
                Diagram.Output("groupBy { $0 % 2 }", groups.map { "(\($0.key))" }),
                Diagram.Output("group 1", groups.filter { $0.key == 1 }.flatMap { $0 }),
                Diagram.Output("group 0", groups.filter { $0.key == 0 }.flatMap { $0 }),
            ]
        },
        Diagram("Window", "window", [("upstream", "1-2---3-4|"), ("boundary", "----x----|")]) { scene in
            let windows = scene.texts.window(by: scene.other.replaceError(with: "")).enumerated().share(replay: 2)
            return [
                Diagram.Output("window(by: boundary)", windows.map { _ in "w" }),
                Diagram.Output("window 0", windows.filter { $0.offset == 0 }.flatMap(\.element)),
                Diagram.Output("window 1", windows.filter { $0.offset == 1 }.flatMap(\.element)),
            ]
        },
        Diagram("Merge", "merge", "1---3-----|", "other", "--2---4|", "merge(with: other)") {
            $0.texts.merge(with: $0.other)
        },
        Diagram("Sample", "sample", "1-2---3-------4|", "trigger", "----x-----x-x-----|", "sample(trigger)") {
            $0.texts.sample($0.other)
        },
        Diagram("Sample", "sample", "1-2---3-------4|", "sample(every: 4)") {
            $0.texts.sample(every: .milliseconds(4), scheduler: $0.scheduler)
        },
        Diagram("SwitchToLatest", "switchToLatest", "a-------b-----|", "switchToLatest()") { scene in
            scene.texts.map { scene.inner($0, "-1-2-3---4|") }.switchToLatest()
        },
        Diagram("UntilOutput", "prefix", "1---2---3---4|", "other", "------a", "prefix(untilOutputFrom: other)") {
            $0.texts.prefix(untilOutputFrom: $0.other)
        },
        Diagram("UntilOutput", "drop", "1---2---3---4|", "other", "------a", "drop(untilOutputFrom: other)") {
            $0.texts.drop(untilOutputFrom: $0.other)
        },
        Diagram("WithLatestFrom", "withLatestFrom", "1---2---3---4|", "other", "--a-------b-|", "withLatestFrom(other)")
        {
            $0.texts.withLatestFrom($0.other) { $0 + $1 }
        },
        Diagram("WithLatestFrom", "withLatestFrom", "1---2---3|", "other", "--a|", "withLatestFrom(other) { … }") {
            $0.texts.withLatestFrom($0.other) { $0 + $1 }
        },
        Diagram("Zip", "zip", "1---2-------3|", "other", "--a---b|", "zip(other)") {
            $0.texts.zip($0.other) { $0 + $1 }
        },
        Diagram("Autoconnect", "autoconnect", [("upstream", "1---2---3|")]) { scene in
            let shared = scene.texts.multicast { PassthroughSubject<String, TestFailure>() }.autoconnect()
            return [Diagram.Output("first", shared), Diagram.Output("second", at: 2, shared)]
        },
        Diagram("Multicast", "multicast", [("upstream", "1---2---3|")]) { connected($0) },
        Diagram("Multicast", "multicast", [("upstream", "1---2---3|")]) { connected($0) },
        Diagram("Multicast", "share", [("upstream", "1---2---3---4|")]) { scene in
            let shared = scene.texts.share(replay: 2)
            return [Diagram.Output("first", shared), Diagram.Output("second", at: 6, shared)]
        },
        Diagram("Multicast", "makeConnectable", [("upstream", "1---2---3|")]) { scene in
            let published = scene.texts.replaceError(with: "").makeConnectable()
            connect(published, on: scene.scheduler)
            return [Diagram.Output("each, connected at 2", published)]
        },
        Diagram("Subject", "subscribe", [("upstream", "1---2---3|")]) { scene in
            let subject = PassthroughSubject<String, TestFailure>()
            let cancellable = scene.texts.subscribe(subject)
            // Held until long after the end.
            scene.scheduler.schedule(after: .milliseconds(50)) { cancellable.cancel() }
            return [Diagram.Output("subject", subject)]
        },
        Diagram("Share", "share", [("upstream", "1---2---3|")]) { scene in
            let shared = scene.texts.share()
            return [Diagram.Output("first", shared), Diagram.Output("second", at: 2, shared)]
        },
    ]

    private static func connected(_ scene: Diagram.Scene) -> [Diagram.Output] {
        let published = scene.texts.multicast { PassthroughSubject<String, TestFailure>() }
        connect(published, on: scene.scheduler)
        return [Diagram.Output("each, connected at 2", published)]
    }

    /// Connected at 2, and held until long after the end.
    private static func connect(_ published: some ConnectablePublisher, on scheduler: VirtualTimeScheduler) {
        scheduler.schedule(after: .milliseconds(2)) {
            let connection = published.connect()
            scheduler.schedule(after: .milliseconds(50)) { connection.cancel() }
        }
    }
}
