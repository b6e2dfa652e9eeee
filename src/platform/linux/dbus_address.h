/* D-Bus server addresses: "unix:path=/run/user/1000/bus,guid=…;unix:abstract=…". */
#ifndef DEFT_PLATFORM_LINUX_DBUS_ADDRESS_H
#define DEFT_PLATFORM_LINUX_DBUS_ADDRESS_H

#include "base/buf.h"

/* Appends the value of key in one address of len bytes, %-escapes undone. false: it has none, or out
 * is full. */
bool dbus_address_value(const char *address, size_t len, const char *key, struct buf *out);
/* "unix:path=…" with everything escaped that could mean something in an address. Caller frees; NULL:
 * too long, or memory ran out. */
char *dbus_address_of(const char *path);
/* What tells this bus from others: the socket of the first alternative, "@" before an abstract one,
 * else the address as it stands. The guid is left out: a bus has one address with it and one without. */
void dbus_address_identity(const char *address, struct buf *out);

#endif
