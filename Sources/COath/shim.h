#ifndef TODOMATE_COATH_SHIM_H
#define TODOMATE_COATH_SHIM_H

#include <liboath/oath.h>

#endif
