#include "client/internal.h"

#include "base/cleanup.h"
#include "base/limits.h"

#include <string.h>

struct facts {
	bool ready, read_only;
	enum wire_command command;
	const char *app;
	const struct cl_recency *recency;
	int64_t age_ms; /* of the recency record */
};

static bool is_read_only_startup(const struct facts *f)
{
	return !f->ready && f->read_only;
}

static bool is_startup(const struct facts *f)
{
	return !f->ready;
}

static bool is_readiness_probe(const struct facts *f)
{
	return f->command == WIRE_CMD_UPTIME || f->command == WIRE_CMD_STATUS;
}

static bool is_conservative(const struct facts *f)
{
	return !wire_command_traits(f->command)->preflight_skip;
}

static bool has_no_proof(const struct facts *f)
{
	return !f->recency->has;
}

static bool is_other_app(const struct facts *f)
{
	if (!f->app || !f->recency->app)
		return f->app != f->recency->app;
	return strcmp(f->app, f->recency->app) != 0;
}

static bool is_proof_stale(const struct facts *f)
{
	return f->age_ms > LIM_RUNNER_RECENCY_MS;
}

static bool is_proof_fresh(const struct facts *f)
{
	return true;
}

/* First match wins; the order is the specification's (runner protocol 4.5). */
static const struct rule {
	bool (*matches)(const struct facts *f);
	struct cl_preflight_rule says;
} rules[] = {
	{ is_read_only_startup, { false, false, "read_only_startup_command" } },
	{ is_startup, { true, false, "startup" } },
	{ is_readiness_probe, { false, false, "readiness_probe_command" } },
	{ is_conservative, { true, false, "conservative_command" } },
	{ has_no_proof, { true, false, "no_recent_healthy_mutation" } },
	{ is_other_app, { true, false, "app_activation_uncertain" } },
	{ is_proof_stale, { true, true, "healthy_mutation_stale" } },
	{ is_proof_fresh, { false, true, "recent_healthy_mutation" } },
};

struct cl_preflight cl_preflight_decide(bool ready, bool read_only, enum wire_command command,
                                        const char *app, const struct cl_recency *recency,
                                        int64_t now_ms)
{
	struct facts f = { ready, read_only, command, app, recency, now_ms - recency->at_ms };
	const struct rule *r = rules;
	while (!r->matches(&f))
		r++;
	return (struct cl_preflight){ r->says.run, r->says.reason, r->says.tells_age ? f.age_ms : -1 };
}

const struct cl_preflight_rule *cl_preflight_rule(size_t i)
{
	return i < ARRAY_SIZE(rules) ? &rules[i].says : NULL;
}
