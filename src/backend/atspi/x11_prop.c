#include "backend/atspi/x11_priv.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

unsigned x11_prop_ask(struct x11 *x, xcb_window_t w, xcb_atom_t name, xcb_atom_t type,
                      uint32_t max_bytes)
{
	return xcb_get_property(x->conn, 0, w, name, type, 0, max_bytes / 4).sequence;
}

static size_t u32_count(const xcb_get_property_reply_t *r)
{
	return r && r->format == 32 ? (size_t)xcb_get_property_value_length(r) / 4 : 0;
}

int x11_prop_u32(struct x11 *x, struct call c, xcb_window_t w, xcb_atom_t name, uint32_t *out,
                 size_t max, size_t *ret_n, struct error *e)
{
	auto_free xcb_get_property_reply_t *r = NULL;
	unsigned seq = x11_prop_ask(x, w, name, XCB_GET_PROPERTY_TYPE_ANY, (uint32_t)max * 4);
	int rc = x11_reply_maybe(x, c, seq, &r, e);
	if (rc < 0)
		return rc;
	size_t n = u32_count(r);
	if (n > 0)
		memcpy(out, xcb_get_property_value(r), n * 4);
	*ret_n = n;
	return 0;
}

int x11_prop_list(struct x11 *x, struct call c, xcb_window_t w, xcb_atom_t name, uint32_t **ret,
                  size_t *ret_n, struct error *e)
{
	auto_free xcb_get_property_reply_t *r = NULL;
	unsigned seq = x11_prop_ask(x, w, name, XCB_GET_PROPERTY_TYPE_ANY, LIM_X11_PROPERTY);
	int rc = x11_reply_maybe(x, c, seq, &r, e);
	if (rc < 0)
		return rc;
	size_t n = u32_count(r);
	uint32_t *list = calloc(n + 1, sizeof(*list));
	if (!list)
		return error_set(e, ERR_COMMAND_FAILED, "memory ran out");
	if (n > 0)
		memcpy(list, xcb_get_property_value(r), n * 4);
	*ret = list;
	*ret_n = n;
	return 0;
}

bool x11_prop_has(struct x11 *x, struct call c, xcb_window_t w, xcb_atom_t name, uint32_t value)
{
	auto_free uint32_t *list = NULL;
	size_t n = 0;
	if (x11_prop_list(x, c, w, name, &list, &n, NULL) < 0)
		return false;
	for (size_t i = 0; i < n; i++)
		if (list[i] == value)
			return true;
	return false;
}

bool x11_prop_text(const xcb_get_property_reply_t *r, char *out, size_t size)
{
	if (!r || r->format != 8 || xcb_get_property_value_length(r) <= 0)
		return false;
	size_t len = (size_t)xcb_get_property_value_length(r);
	auto_free char *text = utf8_repair(xcb_get_property_value(r), len, size - 1, NULL);
	if (!text)
		return false;
	snprintf(out, size, "%s", text);
	return true;
}

void x11_send_root(struct x11 *x, xcb_window_t w, xcb_atom_t type, const uint32_t data[5])
{
	xcb_client_message_event_t ev = {
		.response_type = XCB_CLIENT_MESSAGE, .format = 32, .window = w, .type = type
	};
	memcpy(ev.data.data32, data, sizeof(ev.data.data32));
	xcb_send_event(x->conn, 0, x->root,
	               XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT,
	               (const char *)&ev);
}

bool x11_wm_supports(struct x11 *x, struct call c, enum x11_atom request)
{
	/* _NET_SUPPORTED stays behind when a window manager ends; its check window does not. */
	uint32_t check = 0, self = 0;
	size_t n = 0;
	if (x11_prop_u32(x, c, x->root, x->atoms[A__NET_SUPPORTING_WM_CHECK], &check, 1, &n, NULL) <
	        0 ||
	    n == 0)
		return false;
	if (x11_prop_u32(x, c, check, x->atoms[A__NET_SUPPORTING_WM_CHECK], &self, 1, &n, NULL) < 0 ||
	    n == 0 || self != check)
		return false;
	return x11_prop_has(x, c, x->root, x->atoms[A__NET_SUPPORTED], x->atoms[request]);
}

bool x11_atspi_bus(struct x11 *x, struct call c, struct buf *out)
{
	if (!x11_available(x))
		return false;
	auto_free xcb_get_property_reply_t *r = NULL;
	unsigned seq = x11_prop_ask(x, x->root, x->atoms[A_AT_SPI_BUS], XCB_GET_PROPERTY_TYPE_ANY,
	                            LIM_X11_PROPERTY);
	if (x11_reply_maybe(x, c, seq, &r, NULL) < 0 || !r || r->format != 8)
		return false;
	int len = xcb_get_property_value_length(r);
	return len > 0 && buf_add(out, xcb_get_property_value(r), (size_t)len);
}
