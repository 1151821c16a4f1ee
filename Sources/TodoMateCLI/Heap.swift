import CMalloc

/// The C library's memory.
enum Heap {
    /// Gives all threads one heap; to be called before there is a second thread.
    ///
    /// The loop's thread is not the main one, and a heap of its own grows by a system call for each 4 KiB.
    static func useOne() { todomate_use_one_heap() }
}
