#ifndef TODOMATE_CJOSE_SHIM_H
#define TODOMATE_CJOSE_SHIM_H

#include <cjose/cjose.h>

#endif
