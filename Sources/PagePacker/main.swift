// Packs the page: PagePacker FOLDER OUTPUT.swift
//
// The plugin PackedPage calls it when TodoMateGateway is built.
import Foundation

guard CommandLine.arguments.count == 3 else {
    FileHandle.standardError.write(Data("usage: PagePacker FOLDER OUTPUT.swift\n".utf8))
    exit(64)
}
do throws(PackingError) {
    let page = try PageBundle(of: URL(filePath: CommandLine.arguments[1]))
    try SwiftSource(of: page.files).write(to: URL(filePath: CommandLine.arguments[2]))
} catch {
    FileHandle.standardError.write(Data("error: \(error.description)\n".utf8))
    exit(1)
}
