import ImagePipeline

// The texts in which the page is told of the list, of the loads, and of one load.

extension FetchResult {
    /// The photos at some positions: for each its name, its content's tag, and the second of its last change.
    func json(_ range: Range<Int>, revision: Int) -> String {
        let photos = self[range.clamped(to: indices)].map { asset in
            JSON.list([JSON.text(asset.name), JSON.text(asset.tag), "\(asset.modified.components.seconds)"])
        }
        return JSON.object(["revision": "\(revision)", "count": "\(count)", "photos": JSON.list(photos)])
    }
}

extension PhotoAsset {
    /// The content's ``version``, as a part of a path.
    var tag: String { String(version.map { $0 == " " ? "-" : $0 }) }
}

extension FetchChanges {
    func json(revision: Int) -> String {
        func list(_ set: RangeSet<Int>) -> String {
            JSON.list(set.ranges.map { "[\($0.lowerBound),\($0.upperBound)]" })
        }
        return JSON.object([
            "revision": "\(revision)", "count": "\(after.count)", "removed": list(removed), "inserted": list(inserted),
        ])
    }
}

extension Metrics {
    /// The counts since the server began.
    var json: String {
        let request = self[.request]
        return JSON.object([
            "started": "\(request.begun)", "active": "\(request.active)", "cancelled": "\(request.cancelled)",
            "failed": "\(request.failed)", "joined": "\(shared)", "degraded": "\(request.previews)",
            "memory": "\(request.finished[.memory, default: 0])", "file": "\(request.finished[.file, default: 0])",
            "decoding": "\(self[.decoding].active)", "first": JSON.milliseconds(request.first.share(0.5)),
            "half": JSON.milliseconds(request.whole.share(0.5)), "most": JSON.milliseconds(request.whole.share(0.99)),
        ])
    }
}

extension LoadTrace {
    /// The sentence, and the times of each stage since the request, in milliseconds.
    var json: String {
        let start = self[.request]?.began ?? .zero
        let stages = LoadStage.allCases.compactMap { self[$0] }.map { record in
            JSON.object([
                "name": JSON.text(record.stage.name), "began": JSON.milliseconds(record.began - start),
                "first": JSON.milliseconds(record.first.map { $0 - start }),
                "ended": JSON.milliseconds(record.ended.map { $0 - start }),
            ])
        }
        return JSON.object([
            "text": JSON.text("\(self)"), "tier": JSON.text(self[.request]?.provenance?.rawValue ?? ""),
            "stages": JSON.list(stages),
        ])
    }
}
