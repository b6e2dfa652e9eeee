/* What a command acts on: from the words @e3, label="Save" or "120 44" to one node or point, and
 * from there to a runner request. A ref belongs to the snapshot the caller was shown; a selector is
 * answered by a private capture, which never renumbers the caller's refs. */
#ifndef DEFT_COMMAND_ACTING_H
#define DEFT_COMMAND_ACTING_H

#include "daemon/daemon.h"
#include "ui/target.h"

struct act_target {
	struct ui_target parsed;
	struct ui_tree capture;     /* the private capture of a selector; zeroed for the others */
	const struct ui_tree *tree; /* where `node` lives, NULL: a point */
	uint32_t node;
};

/* Resolves the words of a target. -ERR_ELEMENT_STALE with details.reason no_snapshot,
 * ref_not_issued or ref_generation_mismatch; -ERR_ELEMENT_NOT_FOUND and -ERR_AMBIGUOUS_MATCH as
 * ui_target_pick() makes them, the latter with refs where the caller has been shown the candidate.
 * Everything is private to the request; act_target_done() frees it. */
int act_resolve(struct dm_request *rq, const char *text, enum ui_pick pick, struct act_target *ret,
                struct error *e);
void act_target_done(struct act_target *t);
#define auto_target __attribute__((cleanup(act_target_done)))

/* NULL: a point. */
const struct ui_node *act_node(const struct act_target *t);
/* {"command", "appBundleId"?, "nodeId", "expectRole", "expectLabel"?} or {…, "x", "y"}: what names
 * the target to a runner. */
json_t *act_request(struct dm_request *rq, const char *command, const struct act_target *t);
/* {"command", "appBundleId"?} alone. */
json_t *act_bare_request(struct dm_request *rq, const char *command);
/* Sends a runner request (stolen) exactly once; *ret_reply is an object (maybe empty). */
int act_send(struct dm_request *rq, json_t *request_stolen, json_t **ret_reply, struct error *e);
/* Copies what a runner answered into a result, without what belongs to the transport. */
void act_merge(json_t *data, const json_t *reply);
/* A fresh, private tree of the session's app. The call may be shorter than the request's. */
int act_capture(struct dm_request *rq, struct call call, struct ui_tree *ret, struct error *e);
/* The same with what the program holds but does not show; dearer. */
int act_capture_whole(struct dm_request *rq, struct call call, struct ui_tree *ret,
                      struct error *e);
/* The capture is whole enough to prove that something is not there. */
bool act_capture_complete(const struct ui_tree *t);

/* Adds what was meant to a result: targetKind, ref?, role?, label?, selector?, element (one line). */
void act_describe(const struct act_target *t, json_t *data);
/* '@e3 [button] "Save"', without its states (they may be of before the action); "" for a point.
 * Caller frees. */
char *act_line(const struct act_target *t);
/* Index of the node with this handle; UI_NONE: none. */
uint32_t act_find_handle(const struct ui_tree *t, const char *handle);

#endif
