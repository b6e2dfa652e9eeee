#include "backend/virtual/faults.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/log.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* What a fault's end of the process looks like to whoever started it. */
#define EXIT_ON_DEMAND 86

struct list {
	struct vd_fault at[LIM_FAULTS];
	size_t n;
};

/* At most one of a kind: the last one that a command meets. */
struct met {
	struct vd_fault at[VD_FAULT_COUNT];
	bool has[VD_FAULT_COUNT];
};

struct vd_faults {
	pthread_mutex_t lock; /* of both lists: the transport counts as well */
	struct list fixed, scene;
	bool per_request;
	struct met met; /* by the command at work; used on the executor only */
};

/* --- which ------------------------------------------------------------------------------------- */

static void meet(struct met *m, const struct vd_fault *f)
{
	m->at[f->kind] = *f;
	m->has[f->kind] = true;
}

static void collect_from(struct list *l, unsigned stages, int command, struct met *m)
{
	for (size_t i = 0; i < l->n; i++) {
		struct vd_fault *f = &l->at[i];
		if ((stages & 1u << vd_fault_info(f->kind)->stage) && vd_fault_meets(f, command))
			meet(m, f);
	}
}

/* The fault that the request itself asks for; -ERR_INVALID_ARGS when it asks for none there is. */
static int own(const struct vd_faults *f, const struct wire_request *r, unsigned stages,
               struct met *m, struct error *e)
{
	const char *spec = f->per_request ? jx_get_str(r->json, "fault", NULL) : NULL;
	struct vd_fault one;
	int s = spec ? vd_fault_from_spec(spec, &one, e) : 0;
	if (s < 0 || !spec)
		return s;
	if (one.nth != 1 || one.times != 1)
		return error_set(e, ERR_INVALID_ARGS,
		                 "the fault of one request takes neither nth nor times");
	if (stages & 1u << vd_fault_info(one.kind)->stage)
		meet(m, &one);
	return 0;
}

static int collect(struct vd_faults *f, const struct wire_request *r, unsigned stages,
                   struct met *m, struct error *e)
{
	memset(m->has, 0, sizeof(m->has));
	pthread_mutex_lock(&f->lock);
	collect_from(&f->fixed, stages, r->command, m);
	collect_from(&f->scene, stages, r->command, m);
	pthread_mutex_unlock(&f->lock);
	return own(f, r, stages, m, e);
}

/* --- hooks ------------------------------------------------------------------------------------- */

static _Noreturn void leave(const struct wire_request *r)
{
	log_msg(LOG_WARN, "virtual", "the runner ends on demand at \"%s\"",
	        wire_command_traits(r->command)->name);
	_exit(EXIT_ON_DEMAND);
}

static enum rc_fate arrived(void *ctx, const struct wire_request *r)
{
	struct met m;
	/* A spec that is wrong is told by before(), where there is an answer to tell it in. */
	collect(ctx, r, 1u << VF_ARRIVED, &m, NULL);
	return m.has[VF_RESET] ? RC_FATE_RESET : RC_FATE_SENT;
}

static int before(void *ctx, const struct wire_request *r, struct call c, struct error *e)
{
	struct vd_faults *f = ctx;
	struct met *m = &f->met;
	int s = collect(f, r, 1u << VF_BEFORE | 1u << VF_LOOK | 1u << VF_ANSWER, m, e);
	if (s < 0)
		return s;
	if (m->has[VF_DELAY]) {
		int64_t left = deadline_left(c.deadline), ms = m->at[VF_DELAY].ms;
		s = clock_wait(ms < left ? ms : left, c.cancel, e);
	}
	if (m->has[VF_BLOCK])
		clock_wait(m->at[VF_BLOCK].ms, NULL, NULL);
	if (m->has[VF_EXIT])
		leave(r);
	if (s == 0 && m->has[VF_EXCEPTION])
		s = error_set(e, ERR_INTERNAL_ERROR, "an exception was thrown on demand");
	return s;
}

static enum rc_fate answers(void *ctx, const struct wire_request *r)
{
	struct vd_faults *f = ctx;
	struct met of_transport, *m = &f->met;
	if (r->command == WIRE_CMD_STATUS || r->command == WIRE_CMD_UPTIME) {
		m = &of_transport;
		collect(f, r, 1u << VF_ANSWER, m, NULL);
	}
	if (m->has[VF_EXIT_AFTER])
		leave(r);
	if (m->has[VF_RESET_AFTER])
		return RC_FATE_RESET;
	if (m->has[VF_LOST])
		return RC_FATE_LOST;
	return m->has[VF_TRUNCATED] ? RC_FATE_TRUNCATED : RC_FATE_SENT;
}

struct rc_hooks vd_faults_hooks(struct vd_faults *f)
{
	return (struct rc_hooks){ .arrived = arrived, .before = before, .answers = answers, .ctx = f };
}

/* --- life -------------------------------------------------------------------------------------- */

int vd_faults_new(struct vd_faults **ret, const char *const *specs, bool per_request,
                  struct error *e)
{
	struct vd_faults *f = calloc(1, sizeof(*f));
	if (!f)
		return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	f->per_request = per_request;
	pthread_mutex_init(&f->lock, NULL);
	int r = 0;
	for (; specs && *specs && r == 0; specs++) {
		if (f->fixed.n == LIM_FAULTS)
			r = error_set(e, ERR_LIMIT_EXCEEDED, "more than %d faults", LIM_FAULTS);
		else
			r = vd_fault_from_spec(*specs, &f->fixed.at[f->fixed.n++], e);
	}
	if (r < 0) {
		vd_faults_free(f);
		return r;
	}
	*ret = f;
	return 0;
}

void vd_faults_free(struct vd_faults *f)
{
	if (!f)
		return;
	pthread_mutex_destroy(&f->lock);
	free(f);
}

void vd_faults_set_scene(struct vd_faults *f, const json_t *list)
{
	size_t i;
	json_t *o;
	pthread_mutex_lock(&f->lock);
	f->scene.n = 0;
	json_array_foreach(list, i, o)
	{
		if (f->scene.n < LIM_FAULTS && vd_fault_from_json(o, &f->scene.at[f->scene.n], NULL) == 0)
			f->scene.n++;
	}
	pthread_mutex_unlock(&f->lock);
}

/* --- asking ------------------------------------------------------------------------------------ */

const struct vd_fault *vd_faults_met(const struct vd_faults *f, enum vd_fault_kind kind)
{
	return f->met.has[kind] ? &f->met.at[kind] : NULL;
}

static bool expects(const struct list *l, enum vd_fault_kind kind)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct vd_fault *f = &l->at[i];
		if (f->kind == kind && (f->times == 0 || (int64_t)f->matched < f->nth + f->times))
			return true;
	}
	return false;
}

bool vd_faults_expects(struct vd_faults *f, enum vd_fault_kind kind)
{
	pthread_mutex_lock(&f->lock);
	bool yes = f->per_request || expects(&f->fixed, kind) || expects(&f->scene, kind);
	pthread_mutex_unlock(&f->lock);
	return yes;
}

json_t *vd_faults_json(struct vd_faults *f)
{
	json_t *list = json_array();
	pthread_mutex_lock(&f->lock);
	for (size_t i = 0; i < f->fixed.n; i++)
		json_array_append_new(list, vd_fault_to_json(&f->fixed.at[i]));
	for (size_t i = 0; i < f->scene.n; i++)
		json_array_append_new(list, vd_fault_to_json(&f->scene.at[i]));
	pthread_mutex_unlock(&f->lock);
	return list;
}
