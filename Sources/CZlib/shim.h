#ifndef TODOMATE_CZLIB_SHIM_H
#define TODOMATE_CZLIB_SHIM_H

#include <zlib.h>

// deflateInit2 is a macro, which Swift cannot call. 31: the largest window, with gzip's own header and trailer.
static inline int todomate_gzip_init(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY);
}

#endif
