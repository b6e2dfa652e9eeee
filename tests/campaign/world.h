/* What the campaign does its mutations to, and how the world itself tells how often each was carried
 * out. One world per session.
 *
 * virtual: a scene of its own (scene.json) on deft-runner-virtual. The runner's log tells of each
 *          command id; the app's rows, text and numbers, and the runner's own counts, must agree with it.
 * grid:    a real program with a grid of check boxes on deft-runner-linux. Each tap has a check box of
 *          its own; the program's log tells what was toggled. */
#ifndef DEFT_TESTS_CAMPAIGN_WORLD_H
#define DEFT_TESTS_CAMPAIGN_WORLD_H

#include "base/buf.h"
#include "chance.h"
#include "line.h"

struct world;

struct world_ops {
	const char *name;
	unsigned kinds; /* of commands; kind 0 is a mutation that may skip its preflight */
	struct world *(*open)(const char *dir, const char *const *argv);
	void (*close)(struct world *w);
	/* After each start of a runner. */
	bool (*prepare)(struct line *l, void *world);
	/* A new reference. */
	json_t *(*command)(struct world *w, unsigned kind, const char *id);
	bool (*is_mutation)(unsigned kind);
	/* How often this id was carried out, by all runners; after settle(). */
	int (*executed)(struct world *w, const char *id);
	/* A runner heard of this id (accepted it). */
	bool (*heard)(struct world *w, const char *id);
	/* Everything that reached the runner has come to its end. False: the runner does not answer. */
	bool (*settle)(struct world *w);
	/* The world's own books agree with executed(); why is filled when not. After settle(). */
	bool (*agrees)(struct world *w, struct buf *why);
	struct line *(*line)(struct world *w);
	/* So many commands and it must be opened anew. */
	unsigned lasts;
};

extern const struct world_ops world_virtual, world_grid;

#endif
