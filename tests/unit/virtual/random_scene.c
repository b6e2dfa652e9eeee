#include "random_scene.h"

#include "backend/virtual/kinds.h"
#include "base/cleanup.h"
#include "base/jx.h"

#include <stdio.h>

struct dice dice_seed(uint64_t seed)
{
	return (struct dice){ seed * 0x9E3779B97F4A7C15u + 1 };
}

uint32_t dice_roll(struct dice *d, uint32_t below)
{
	d->state ^= d->state << 13;
	d->state ^= d->state >> 7;
	d->state ^= d->state << 17;
	return (uint32_t)(d->state >> 11) % below;
}

struct maker {
	struct dice *dice;
	unsigned widgets, screens;
};

static uint32_t roll(struct maker *m, uint32_t below)
{
	return dice_roll(m->dice, below);
}

/* Few words, so that labels repeat; some are awkward. */
static const char *const words[] = { "Save",
	                                 "Save",
	                                 "Open",
	                                 "Name",
	                                 "Row #",
	                                 "{w3}",
	                                 "",
	                                 "Zeile mit Umlaut \u00e4\u00f6\u00fc",
	                                 "\u65e5\u672c\u8a9e",
	                                 "a, b, c",
	                                 "\U0001F600",
	                                 "quote \" and \\ slash",
	                                 "two\nlines",
	                                 "  spaces  " };

static const char *word(struct maker *m)
{
	return words[roll(m, ARRAY_SIZE(words))];
}

static json_t *some_id(struct maker *m)
{
	char id[16];
	snprintf(id, sizeof(id), "w%u", roll(m, m->widgets + 3));
	return json_string(id);
}

static json_t *screen_id(unsigned i)
{
	char id[16];
	snprintf(id, sizeof(id), "s%u", i);
	return json_string(id);
}

static json_t *actions(struct maker *m, int depth);
static json_t *widget(struct maker *m, int depth);
static json_t *widgets(struct maker *m, unsigned most, int depth);

static json_t *rules(struct maker *m)
{
	static const char *const kinds[] = { "filled", "email", "length", "date" };
	json_t *list = json_array();
	for (unsigned n = roll(m, 3); n > 0; n--)
		json_array_append_new(list, json_pack("{s:o, s:s, s:s, s:i}", "id", some_id(m), "is",
		                                      kinds[roll(m, 4)], "error", "wrong", "min",
		                                      1 + (int)roll(m, 9)));
	return list;
}

static json_t *buttons(struct maker *m, int depth)
{
	json_t *list = json_array();
	for (unsigned n = roll(m, 3); n > 0; n--)
		json_array_append_new(
		    list, json_pack("{s:s, s:o}", "label", word(m), "then", actions(m, depth + 1)));
	return list;
}

static json_t *action(struct maker *m, int depth)
{
	switch (roll(m, depth > 2 ? 8 : 13)) {
	case 0: return json_pack("{s:s, s:o}", "do", "navigate", "to", screen_id(roll(m, m->screens)));
	case 1: return json_pack("{s:s}", "do", "back");
	case 2:
		return json_pack("{s:s, s:o, s:s, s:b}", "do", "set", "id", some_id(m), "text", word(m),
		                 "visible", (int)roll(m, 4) != 0);
	case 3: return json_pack("{s:s, s:o, s:b}", "do", "check", "id", some_id(m), "checked", 1);
	case 4: return json_pack("{s:s, s:o}", "do", "toggle", "id", some_id(m));
	case 5: return json_pack("{s:s, s:o}", "do", "remove", "id", some_id(m));
	case 6: return json_pack("{s:s}", "do", "dismiss");
	case 7: return json_pack("{s:s, s:o}", "do", "focus", "id", some_id(m));
	case 8:
		return json_pack("{s:s, s:o, s:o}", "do", "append", "id", some_id(m), "item",
		                 widget(m, depth + 2));
	case 9:
		return json_pack("{s:s, s:i, s:o}", "do", "timer", "ms", (int)roll(m, 3000), "then",
		                 actions(m, depth + 1));
	case 10:
		return json_pack("{s:s, s:s, s:o}", "do", "alert", "title", word(m), "buttons",
		                 buttons(m, depth));
	case 11:
		return json_pack("{s:s, s:s, s:o}", "do", "sheet", "title", word(m), "body",
		                 widgets(m, 3, depth + 2));
	default:
		return json_pack("{s:s, s:o, s:o, s:o}", "do", "validate", "rules", rules(m), "ok",
		                 actions(m, depth + 1), "fail", actions(m, depth + 1));
	}
}

static json_t *actions(struct maker *m, int depth)
{
	json_t *list = json_array();
	for (unsigned n = roll(m, 3); n > 0; n--)
		json_array_append_new(list, action(m, depth));
	return list;
}

static json_t *control(struct maker *m)
{
	static const char *const formats[] = { "{}", "{,}", "{} %", "halb voll", "{} of {}" };
	static const char *const habits[] = { "direct",   "steps", "byPoint", "range",
		                                  "vertical", "rtl",   "stuck",   "textOnly" };
	double min = (double)roll(m, 40) - 20;
	json_t *o = json_object();
	jx_set_num(o, "min", min);
	jx_set_num(o, "max", min + roll(m, 100));
	jx_set_num(o, "step", roll(m, 3) * 0.25);
	jx_set_num(o, "value", min + roll(m, 50));
	for (size_t i = 0; i < ARRAY_SIZE(habits); i++)
		if (roll(m, 3) == 0)
			jx_set_bool(o, habits[i], roll(m, 2));
	if (roll(m, 3) == 0)
		jx_set_str(o, "format", formats[roll(m, ARRAY_SIZE(formats))]);
	if (roll(m, 4) == 0)
		jx_set_int(o, "delayMs", roll(m, 1500));
	if (roll(m, 5) == 0)
		jx_set_int(o, "slip", (int)roll(m, 7) - 3);
	if (roll(m, 6) == 0)
		jx_set_int(o, "vanishAfter", 1 + roll(m, 3));
	if (roll(m, 6) == 0)
		jx_set_int(o, "loseDirectAfter", 1 + roll(m, 3));
	return o;
}

static void bind(struct maker *m, json_t *o, int depth)
{
	static const char *const events[] = { "press", "longPress", "change", "submit" };
	if (depth > 4 || roll(m, 2))
		return;
	jx_set(o, "on", json_pack("{s:o}", events[roll(m, ARRAY_SIZE(events))], actions(m, depth)));
}

static void states(struct maker *m, json_t *o)
{
	if (roll(m, 6) == 0)
		jx_set_bool(o, "enabled", false);
	if (roll(m, 8) == 0)
		jx_set_bool(o, "visible", false);
	if (roll(m, 5) == 0)
		jx_set_bool(o, "checked", true);
	if (roll(m, 12) == 0)
		jx_set_bool(o, "sticky", true);
	if (roll(m, 12) == 0)
		jx_set_bool(o, "collapsed", true);
	if (roll(m, 8) == 0)
		jx_set_num(o, "height", roll(m, 300));
	if (roll(m, 8) == 0)
		jx_set_num(o, "width", roll(m, 500));
	if (roll(m, 25) == 0)
		jx_set(o, "at",
		       json_pack("[i,i,i,i]", (int)roll(m, 500) - 50, (int)roll(m, 900) - 50,
		                 (int)roll(m, 300), (int)roll(m, 300)));
}

static json_t *widget(struct maker *m, int depth)
{
	enum vd_kind kind;
	do
		kind = (enum vd_kind)roll(m, VD_KIND_COUNT);
	while (!vd_kind_is_public(kind));
	unsigned traits = vd_kind_info(kind)->traits;
	json_t *o = json_object();
	char id[16];
	snprintf(id, sizeof(id), "w%u", m->widgets++);
	jx_set_str(o, "type", vd_kind_info(kind)->word);
	if (roll(m, 5))
		jx_set_str(o, "id", id);
	if (roll(m, 4))
		jx_set_str(o, "label", word(m));
	if (roll(m, 3) == 0)
		jx_set_str(o, "text", word(m));
	if ((traits & VT_TEXT_IN) && roll(m, 2))
		jx_set_str(o, "placeholder", word(m));
	if ((traits & VT_CONTROL) && roll(m, 8))
		jx_set(o, "control", control(m));
	if (traits & VT_CHOICE)
		jx_set(o, "choices", json_pack("[s,s]", word(m), word(m)));
	states(m, o);
	bind(m, o, depth);
	if (depth < 4 && kind != VD_SEGMENTS && (traits & (VT_STACK | VT_ROW) || roll(m, 12) == 0))
		jx_set(o, "children", widgets(m, 5, depth + 1));
	if (roll(m, 15) == 0)
		jx_set_int(o, "repeat", 1 + roll(m, 8));
	return o;
}

static json_t *widgets(struct maker *m, unsigned most, int depth)
{
	json_t *list = json_array();
	for (unsigned n = roll(m, most + 1); n > 0; n--)
		json_array_append_new(list, widget(m, depth));
	return list;
}

static json_t *screen(struct maker *m, unsigned i)
{
	json_t *o = json_object();
	jx_set(o, "id", screen_id(i));
	if (roll(m, 2))
		jx_set_str(o, "title", word(m));
	jx_set(o, "body", widgets(m, 9, 0));
	if (roll(m, 4) == 0)
		jx_set(o, "top", widgets(m, 2, 3));
	if (roll(m, 4) == 0)
		jx_set(o, "tabs", widgets(m, 3, 3));
	if (roll(m, 4) == 0)
		jx_set(o, "on", json_pack("{s:o}", "open", actions(m, 1)));
	return o;
}

json_t *random_scene(struct dice *d)
{
	struct maker m = { .dice = d, .screens = 1 + dice_roll(d, 4) };
	static const char *const flavours[] = { "android", "ios", "linux" };
	json_t *o = json_object(), *screens = json_array();
	jx_set_int(o, "scene", 1);
	jx_set(o, "app", json_pack("{s:s}", "id", "random"));
	jx_set_str(o, "flavour", flavours[dice_roll(d, 3)]);
	for (unsigned i = 0; i < m.screens; i++)
		json_array_append_new(screens, screen(&m, i));
	jx_set(o, "screens", screens);
	return o;
}
