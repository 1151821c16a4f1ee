import Foundation

/// Whether this build runs under a sanitizer, with which some things are otherwise.
public enum Sanitizer {
    /// The address sanitizer gives no address out a second time for long.
    public static let isAddress = dlsym(nil, "__asan_init") != nil
    /// The thread sanitizer opens descriptors of its own when it meets something to judge.
    public static let isThread = dlsym(nil, "__tsan_init") != nil
}
