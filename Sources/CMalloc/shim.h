#ifndef TODOMATE_CMALLOC_SHIM_H
#define TODOMATE_CMALLOC_SHIM_H

// Swift's own module of the C library leaves malloc.h out.
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// One heap for all threads (mallopt(3)), where there are several.
static inline void todomate_use_one_heap(void) {
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, 1);
#endif
}

#endif
