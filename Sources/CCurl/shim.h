#ifndef TODOMATE_CCURL_SHIM_H
#define TODOMATE_CCURL_SHIM_H

#include <curl/curl.h>

#endif
