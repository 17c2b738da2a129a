// For those that import this module, too.
@_exported import CLibrary
