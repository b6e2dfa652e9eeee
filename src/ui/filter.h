/* From the raw tree to what a caller sees (agent surface 4.5): scope, depth, interactive-only,
 * visibility, covering overlays, hidden-content hints, refs. Pure functions, tree in, tree out. */
#ifndef DEFT_UI_FILTER_H
#define DEFT_UI_FILTER_H

#include "ui/node.h"

struct ui_view_opts {
	bool interactive;   /* -i: only what can be acted on or carries an answer, flattened */
	bool raw;           /* --raw: every node, nothing derived */
	int depth;          /* -d: keep depth 0..d of the raw tree (of the scope's subtree); < 0: no limit */
	const char *scope;  /* -s: first node whose label, value or identifier contains it (one that is
	                     * shown before one that is not), with its subtree */
};

/* What the view left out; printed, never silent. */
struct ui_view_stats {
	uint32_t total;               /* nodes of the raw tree */
	uint32_t visible;             /* nodes shown */
	uint32_t offscreen_above, offscreen_below; /* interactive ones outside, not in a scroll container */
	const char *above[3], *below[3];           /* up to three unique labels, in the view's arena */
	bool scope_missed;            /* no node matched the scope: the view is empty */
};

/* Builds the view in ret (its own arena) and issues refs 1..n in list order. Of what is visible,
 *   structured  everything but wrappers without a text, and every text once: a control takes the text
 *               of the label in it (as caption when it has no label), wrappers give theirs to the control;
 *   -i          controls, scroll containers, windows and dialogs with a title, progress and level bars,
 *               programs that do not answer; all of them roots of the view. No scroll bars, no empty cells;
 *   --raw       all nodes as they are.
 * A soft keyboard is one node, after everything else (case A19); with -s its keys are listed.
 * Notices (agent surface 4.7) are added to the view's warnings. */
int ui_view_make(const struct ui_tree *raw, const struct ui_view_opts *opts, struct ui_tree *ret,
                 struct ui_view_stats *ret_stats, struct error *e);

/* A node worth a ref in -i: interactive role or action, editable, adjustable, focusable with a label;
 * usable without SHOWING (GTK 4 sets it on windows only). */
bool ui_node_interactive(const struct ui_tree *t, uint32_t i);
/* The action's name means "do what a press does" (click, press, activate, toggle, …). Actions that
 * programs put on nearly everything (clipboard.copy, menu.popup, window.close, win.*) do not. */
bool ui_action_is_press(const char *name);
/* Inside its effective viewport (nearest scrollable ancestor, else window, else screen). */
bool ui_node_in_view(const struct ui_tree *t, uint32_t i);

#endif
