#ifndef TODOMATE_CLIBEVENT_SHIM_H
#define TODOMATE_CLIBEVENT_SHIM_H

// First: event-config.h defines _GNU_SOURCE, which would give fd_set a second, different definition.
#include <sys/select.h>

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>

#endif
