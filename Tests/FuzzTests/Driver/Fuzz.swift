import Foundation

// libFuzzer brings `main`; it calls this with one input after another, on one thread.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    do {
        try chosenTarget.check([UInt8](UnsafeBufferPointer(start: data, count: size)))
    } catch {
        FileHandle.standardError.write(Data("\nbroken promise: \(error)\n".utf8))
        // libFuzzer keeps the input of a crash.
        abort()
    }
    return 0
}

/// The target that the environment names.
private let chosenTarget: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["TODOMATE_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
        FileHandle.standardError.write(Data("set TODOMATE_FUZZ_TARGET to one of \(names)\n".utf8))
        exit(64)
    }
    return target
}()
