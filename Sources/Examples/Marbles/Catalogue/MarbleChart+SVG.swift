import StreamsTesting

extension MarbleChart {
    /// The diagram as a picture: a line for each lane, a disc for each value, a bar for the finish, a cross for a failure.
    ///
    /// - Parameter title: What stands above.
    public func svg(title: String) -> String {
        let (left, step, height, radius) = (300, 30, 52, 16)
        let moment = { (event: Timeline<String>.Event) in event.time.nanoseconds / max(unit.magnitude, 1) }
        let last = lanes.flatMap { $0.timeline.events.map(moment) }.max() ?? 0
        let width = left + (last + 2) * step + 20
        var shapes = [#"<text x="16" y="28" class="title">\#(Self.escaped(title))</text>"#]
        for (index, lane) in lanes.enumerated() {
            let y = 70 + index * height
            let end = lane.timeline.events.last { $0.signal.isEnd }.map(moment)
            let stop = left + (end ?? last + 1) * step
            shapes.append(#"<text x="16" y="\#(y + 5)" class="lane">\#(Self.escaped(lane.name))</text>"#)
            shapes.append(#"<line x1="\#(left - 16)" y1="\#(y)" x2="\#(stop)" y2="\#(y)"/>"#)
            for event in lane.timeline.events {
                let x = left + moment(event) * step
                switch event.signal {
                case .value(let text):
                    let half = max(radius, 4 * text.count + 6)
                    shapes.append(
                        #"<rect x="\#(x - half)" y="\#(y - radius)" width="\#(2 * half)" height="\#(2 * radius)" rx="\#(radius)"/>"#
                    )
                    shapes.append(#"<text x="\#(x)" y="\#(y + 5)" class="value">\#(Self.escaped(text))</text>"#)
                case .finished:
                    shapes.append(#"<line x1="\#(x)" y1="\#(y - 18)" x2="\#(x)" y2="\#(y + 18)" class="end"/>"#)
                case .failure, .cancelled:
                    shapes.append(
                        #"<path d="M\#(x - 9) \#(y - 9)l18 18m0 -18l-18 18" class="end"/>"#)
                }
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(50 + lanes.count * height)">
            <style>text{font:15px sans-serif;fill:#222}.title{font-weight:bold}.value{text-anchor:middle}\
            line,path{stroke:#222;stroke-width:1.5;fill:none}.end{stroke-width:3}rect{fill:#fff3c4;stroke:#222}</style>
            <rect x="0" y="0" width="\(width)" height="\(50 + lanes.count * height)" style="fill:#fff;stroke:none"/>
            \(shapes.joined(separator: "\n"))
            </svg>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.map { ["<": "&lt;", ">": "&gt;", "&": "&amp;"][$0] ?? String($0) }.joined()
    }
}
