// Two entry points of the Swift runtime that the language has no words for; libswiftCore exports them for good, as part of
// the ABI that compiled code calls. See "swift/Runtime/HeapObject.h".

/// Retains an object; a null pointer, and nothing done, when its end has begun.
void *_Nullable swift_tryRetain(void *_Nonnull object);

/// Releases it again.
void swift_release(void *_Nonnull object);
