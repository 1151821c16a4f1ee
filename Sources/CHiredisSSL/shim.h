#ifndef TODOMATE_CHIREDISSSL_SHIM_H
#define TODOMATE_CHIREDISSSL_SHIM_H

// Not hiredis.h itself, so that redisContext stays one type for both modules.
#include "../CHiredis/shim.h"

#include <hiredis/hiredis_ssl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// OpenSSL has the following as macros, which Swift does not see.

/// Sets what every connection keeps to.
static inline int redis_tls_set_rules(SSL_CTX *context) {
#ifdef SSL_OP_IGNORE_UNEXPECTED_EOF
    // RESP marks the end of each reply itself, so an end without a goodbye cuts nothing off unseen.
    SSL_CTX_set_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF);
#endif
    return (int)SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

/// Tells the server which name is wanted (SNI).
static inline int redis_tls_send_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}

/// Which part of OpenSSL, or the system, wrote an entry of the error queue.
static inline int redis_tls_library(unsigned long error) { return ERR_GET_LIB(error); }

/// What it wrote; the numbers of two libraries mean different things.
static inline int redis_tls_reason(unsigned long error) { return ERR_GET_REASON(error); }

#endif
