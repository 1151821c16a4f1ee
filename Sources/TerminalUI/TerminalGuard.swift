#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Gives the terminal back as it was found when the process ends in any way that lets it: by `exit`, by a signal, by a crash.
///
/// While it is armed, each signal that ends a process first restores the terminal, by async-signal-safe calls alone, and then has
/// the effect that it had before. SIGKILL cannot be handled.
enum TerminalGuard {
    private struct Found {
        var isArmed = false
        var input: Int32 = -1
        var output: Int32 = -1
        var modes = termios()
        var sequence: UnsafeMutableBufferPointer<UInt8>
        /// What each signal did before, by its number.
        var actions: UnsafeMutablePointer<sigaction>
    }

    // A handler may run at any moment on any thread, where neither locks nor allocation are allowed: so it reads plain memory,
    // which is written on the loop alone, and before the handlers are installed.
    private nonisolated(unsafe) static let found: UnsafeMutablePointer<Found> = {
        let sequence = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: ScreenPainter.restoreSequence.utf8.count)
        _ = sequence.initialize(from: ScreenPainter.restoreSequence.utf8)
        let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        actions.initialize(repeating: sigaction(), count: 65)
        let found = UnsafeMutablePointer<Found>.allocate(capacity: 1)
        found.initialize(to: Found(sequence: sequence, actions: actions))
        return found
    }()

    /// The signals that end a process and that the program does not handle itself.
    private static let signals = [
        SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1,
        SIGUSR2,
        SIGXCPU, SIGXFSZ,
    ]

    private static let installation: Void = {
        // After a stack overflow a handler needs a stack of its own: this thread, the loop's, gets one.
        var stack = stack_t()
        stack.ss_size = 64 << 10
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stack.ss_size, alignment: 16)
        sigaltstack(&stack, nil)
        for signal in signals {
            var action = sigaction()
            action.sa_flags = SA_ONSTACK
            let handler: @convention(c) (Int32) -> Void = { TerminalGuard.handle($0) }
            #if canImport(Darwin)
                action.__sigaction_u.__sa_handler = handler
            #else
                action.__sigaction_handler.sa_handler = handler
            #endif
            sigaction(signal, &action, found.pointee.actions + Int(signal))
        }
        atexit { TerminalGuard.restore() }
    }()

    /// From now on these modes and the painter's restore sequence give the terminal back.
    static func arm(input: Int32, output: Int32, modes: termios) {
        found.pointee.isArmed = false
        found.pointee.input = input
        found.pointee.output = output
        found.pointee.modes = modes
        _ = installation
        found.pointee.isArmed = true
    }

    /// There is nothing to give back any more.
    static func disarm() { found.pointee.isArmed = false }

    private static func restore() {
        guard found.pointee.isArmed else { return }
        found.pointee.isArmed = false
        // In the background, setting the modes would stop the process instead.
        signal(SIGTTOU, SIG_IGN)
        _ = write(found.pointee.output, found.pointee.sequence.baseAddress, found.pointee.sequence.count)
        if found.pointee.input >= 0 { tcsetattr(found.pointee.input, TCSANOW, &found.pointee.modes) }
    }

    private static func handle(_ number: Int32) {
        restore()
        sigaction(number, found.pointee.actions + Int(number), nil)
        // Held back until this handler returns; then the signal does what it would have done.
        raise(number)
    }
}
