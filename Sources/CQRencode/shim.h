#ifndef TODOMATE_CQRENCODE_SHIM_H
#define TODOMATE_CQRENCODE_SHIM_H

#include <qrencode.h>

#endif
