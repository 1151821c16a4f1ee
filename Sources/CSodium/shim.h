#ifndef TODOMATE_CSODIUM_SHIM_H
#define TODOMATE_CSODIUM_SHIM_H

#include <sodium.h>

#endif
