#include "backend/virtual/kinds.h"

#include "base/cleanup.h"

#include <string.h>

static const struct vd_kind_info kinds[VD_KIND_COUNT] = {
#define VD_KIND_ROW(name, word, role, android, ios, linux_, height, traits) \
	[VD_##name] = { word, role, { android, ios, linux_ }, height, traits },
	VD_KINDS(VD_KIND_ROW)
#undef VD_KIND_ROW
};

static const struct vd_flavour flavours[VD_FLAVOURS] = {
	[VD_ANDROID] = { VD_ANDROID, "android", 412, 892, 2, 28, 300, 1, "SET_PROGRESS",
	                 "SCROLL_FORWARD", "SCROLL_BACKWARD", "CLICK" },
	[VD_IOS] = { VD_IOS, "ios", 393, 852, 3, 54, 336, 0, "setValue", "increment", "decrement",
	             "press" },
	[VD_LINUX] = { VD_LINUX, "linux", 800, 900, 1, 0, 0, 0, "set-value", "Increase", "Decrease",
	               "click" },
};

const struct vd_kind_info *vd_kind_info(enum vd_kind kind)
{
	return &kinds[kind];
}

int vd_kind_from_word(const char *word)
{
	for (int i = 0; i < VD_KIND_COUNT; i++)
		if (strcmp(kinds[i].word, word) == 0)
			return i;
	return -1;
}

int vd_kind_is_public(enum vd_kind kind)
{
	return kind < VD_NAVBAR || kind == VD_WEB;
}

const struct vd_flavour *vd_flavour(enum vd_flavour_id id)
{
	return &flavours[id];
}

const struct vd_flavour *vd_flavour_from_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(flavours); i++)
		if (strcmp(flavours[i].name, name) == 0)
			return &flavours[i];
	return NULL;
}
