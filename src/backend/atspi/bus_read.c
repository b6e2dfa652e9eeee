/* Reading replies. A reply comes from any program: its types are checked before they are read. */
#include "backend/atspi/bus.h"

static bool enter_variant(sd_bus_message *m, const char **ret_type)
{
	char kind;
	const char *contents;

	if (sd_bus_message_peek_type(m, &kind, &contents) <= 0 || kind != SD_BUS_TYPE_VARIANT)
		return false;
	if (!contents || contents[0] == '\0' || contents[1] != '\0')
		return false;
	*ret_type = contents;
	return sd_bus_message_enter_container(m, SD_BUS_TYPE_VARIANT, contents) > 0;
}

bool bus_read_variant_double(sd_bus_message *m, double *ret)
{
	const char *type;
	double d;
	int64_t i;

	if (sd_bus_message_peek_type(m, NULL, &type) > 0 && type && strcmp(type, "d") == 0) {
		if (!enter_variant(m, &type) || sd_bus_message_read_basic(m, 'd', &d) <= 0)
			return false;
		*ret = d;
		return true;
	}
	if (!bus_read_variant_int(m, &i))
		return false;
	*ret = (double)i;
	return true;
}

bool bus_read_variant_int(sd_bus_message *m, int64_t *ret)
{
	const char *type;
	union {
		int16_t n;
		uint16_t q;
		int32_t i;
		uint32_t u;
		int64_t x;
	} v = { .x = 0 };

	if (!enter_variant(m, &type) || !strchr("nqiux", type[0]) ||
	    sd_bus_message_read_basic(m, type[0], &v) <= 0)
		return false;
	switch (type[0]) {
	case 'n': *ret = v.n; break;
	case 'q': *ret = v.q; break;
	case 'i': *ret = v.i; break;
	case 'u': *ret = v.u; break;
	default: *ret = v.x; break;
	}
	return true;
}

bool bus_read_variant_string(sd_bus_message *m, const char **ret)
{
	const char *type;

	return enter_variant(m, &type) && type[0] == 's' && sd_bus_message_read_basic(m, 's', ret) > 0;
}

bool bus_read_states(sd_bus_message *m, uint64_t *ret)
{
	const uint32_t *words;
	size_t size;

	if (sd_bus_message_read_array(m, 'u', (const void **)&words, &size) < 0)
		return false;
	*ret = size >= 4 ? words[0] : 0;
	if (size >= 8)
		*ret |= (uint64_t)words[1] << 32;
	return true;
}

uint32_t bus_iface_bit(const char *name)
{
	static const struct {
		const char *name;
		uint32_t bit;
	} known[] = {
		{ "Action", ATSPI_IF_ACTION },
		{ "Component", ATSPI_IF_COMPONENT },
		{ "Value", ATSPI_IF_VALUE },
		{ "Text", ATSPI_IF_TEXT },
		{ "EditableText", ATSPI_IF_EDITABLE_TEXT },
		{ "Selection", ATSPI_IF_SELECTION },
		{ "Table", ATSPI_IF_TABLE },
		{ "TableCell", ATSPI_IF_TABLE_CELL },
		{ "Document", ATSPI_IF_DOCUMENT },
	};
	static const char prefix[] = "org.a11y.atspi.";

	if (strncmp(name, prefix, sizeof(prefix) - 1) != 0)
		return 0;
	name += sizeof(prefix) - 1;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].bit;
	return 0;
}

bool bus_read_ifaces(sd_bus_message *m, uint32_t *ret)
{
	const char *name;
	uint32_t bits = 0;
	int r;

	if (sd_bus_message_enter_container(m, 'a', "s") < 0)
		return false;
	while ((r = sd_bus_message_read_basic(m, 's', &name)) > 0)
		bits |= bus_iface_bit(name);
	if (r < 0 || sd_bus_message_exit_container(m) < 0)
		return false;
	*ret = bits;
	return true;
}

bool bus_read_object(sd_bus_message *m, const char **ret_bus, const char **ret_path)
{
	char kind;
	const char *contents;

	if (sd_bus_message_peek_type(m, &kind, &contents) > 0 && kind == 'v') {
		/* The Parent property: the same pair in a variant. */
		if (strcmp(contents, "(so)") != 0 || sd_bus_message_enter_container(m, 'v', "(so)") < 0)
			return false;
	}
	return sd_bus_message_read(m, "(so)", ret_bus, ret_path) > 0;
}

#define RELATION_LABELLED_BY 2u

void bus_read_labelled_by(sd_bus_message *m, char *ret_path, size_t size)
{
	const char *path;
	uint32_t type;

	ret_path[0] = '\0';
	if (sd_bus_message_enter_container(m, 'a', "(ua(so))") < 0)
		return;
	while (sd_bus_message_enter_container(m, 'r', "ua(so)") > 0) {
		if (sd_bus_message_read(m, "u", &type) <= 0 ||
		    sd_bus_message_enter_container(m, 'a', "(so)") < 0)
			return;
		while (sd_bus_message_read(m, "(so)", NULL, &path) > 0)
			if (type == RELATION_LABELLED_BY && !ret_path[0] && strlen(path) < size)
				bus_copy(ret_path, size, path);
		if (sd_bus_message_exit_container(m) < 0 || sd_bus_message_exit_container(m) < 0)
			return;
	}
}
