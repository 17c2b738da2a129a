@_exported import LoopbackServer
