#include "figures.h"

#include "base/cleanup.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char *const property_texts[] = {
#define PROPERTY_TEXT(name, text) text,
	PROPERTIES(PROPERTY_TEXT)
#undef PROPERTY_TEXT
};
static const char *const outcome_texts[OUTCOMES] = {
	"mutations that succeeded",
	"mutations that failed, not carried out",
	"mutations that failed, carried out",
	"mutations that failed, end unknown",
	"mutations refused by the runner",
	"reads that succeeded",
	"reads that failed",
};

void figures_word(struct words *w, const char *text, uint64_t n)
{
	if (!text || n == 0)
		return;
	for (int i = 0; i < WORDS_MAX; i++) {
		if (w->text[i] && strcmp(w->text[i], text) != 0)
			continue;
		w->text[i] = text;
		w->n[i] += n;
		return;
	}
}

static void add_words(struct words *to, const struct words *w)
{
	for (int i = 0; i < WORDS_MAX; i++)
		figures_word(to, w->text[i], w->n[i]);
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

void figures_add(struct figures *to, const struct figures *f)
{
	to->runs += f->runs;
	to->commands += f->commands;
	to->unmet += f->unmet;
	for (int i = 0; i < OUTCOMES; i++)
		to->outcomes[i] += f->outcomes[i];
	to->unknown_done += f->unknown_done;
	to->unknown_not_done += f->unknown_not_done;
	to->asked_early += f->asked_early;
	for (int i = 0; i < START_STATES; i++)
		to->from[i] += f->from[i];
	to->requests += f->requests;
	to->preflights += f->preflights;
	to->skipped += f->skipped;
	to->retries += f->retries;
	to->runners += f->runners;
	add_words(&to->recoveries, &f->recoveries);
	add_words(&to->invalidations, &f->invalidations);
	to->line.connections += f->line.connections;
	to->line.exchanges += f->line.exchanges;
	for (int i = 0; i < FAULT_COUNT; i++)
		to->line.struck[i] += f->line.struck[i];
	to->longest_us = larger(to->longest_us, f->longest_us);
	to->longest_over_us = larger(to->longest_over_us, f->longest_over_us);
	for (int i = 0; i < PROPERTY_COUNT; i++)
		to->broken[i] += f->broken[i];
}

void figures_broken(struct figures *f, enum property p, const struct plan *plan, const char *how)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct buf auto_buf text;
	if (f->broken[p]++ >= 10)
		return;
	buf_init(&text, 4096);
	plan_tell(plan, &text);
	pthread_mutex_lock(&lock);
	printf("# broken: %s: %s\n#   run %llu: %s\n", property_texts[p], how,
	       (unsigned long long)plan->number, text.data);
	fflush(stdout);
	pthread_mutex_unlock(&lock);
}

static void print_count(const char *what, uint64_t n)
{
	printf("#   %-52s %9llu\n", what, (unsigned long long)n);
}

static void print_words(const char *title, const struct words *w)
{
	printf("# %s\n", title);
	for (int i = 0; i < WORDS_MAX && w->text[i]; i++)
		print_count(w->text[i], w->n[i]);
}

void figures_print(const struct figures *f, const char *world, double seconds)
{
	printf("# campaign against the %s world: %llu runs, %llu commands, %llu runners, %.1f s\n",
	       world, (unsigned long long)f->runs, (unsigned long long)f->commands,
	       (unsigned long long)f->runners, seconds);
	for (int i = 0; i < START_STATES; i++) {
		char text[64];
		snprintf(text, sizeof text, "runs from a session that is %s",
		         start_state_name((enum start_state)i));
		print_count(text, f->from[i]);
	}
	print_count("runs whose fault met nothing", f->unmet);
	printf("# faults that struck, by kind\n");
	for (int i = 1; i < FAULT_COUNT; i++)
		print_count(fault_name((enum fault_kind)i), f->line.struck[i]);
	printf("# outcomes\n");
	for (int i = 0; i < OUTCOMES; i++)
		print_count(outcome_texts[i], f->outcomes[i]);
	print_count("of unknown end, in truth carried out", f->unknown_done);
	print_count("of unknown end, in truth not carried out", f->unknown_not_done);
	print_words("recoveries", &f->recoveries);
	print_count("of them, asked before the command had arrived", f->asked_early);
	print_words("invalidations", &f->invalidations);
	printf("# exchanges\n");
	print_count("requests", f->requests);
	print_count("connections", f->line.connections);
	print_count("preflights used", f->preflights);
	print_count("preflights skipped", f->skipped);
	print_count("retries", f->retries);
	printf("# longest command %.1f ms; longest beyond its deadline %.1f ms\n",
	       (double)f->longest_us / 1000, (double)f->longest_over_us / 1000);
}

int figures_judge(const struct figures *f, int first_number)
{
	int broken = 0;
	for (int i = 0; i < PROPERTY_COUNT; i++) {
		printf("%s %d - %s", f->broken[i] ? "not ok" : "ok", first_number + i, property_texts[i]);
		if (f->broken[i])
			printf(" (broken %llu times)", (unsigned long long)f->broken[i]);
		printf("\n");
		broken += f->broken[i] != 0;
	}
	return broken;
}
