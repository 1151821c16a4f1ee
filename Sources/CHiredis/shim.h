#ifndef TODOMATE_CHIREDIS_SHIM_H
#define TODOMATE_CHIREDIS_SHIM_H

#include <hiredis/hiredis.h>

#endif
