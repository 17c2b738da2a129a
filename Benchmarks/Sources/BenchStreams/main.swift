let figures = synchronousChain() + justToSink()
report(figures)
