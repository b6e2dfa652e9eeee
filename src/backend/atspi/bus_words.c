/* Machine names of actions. GetActions tells all actions of an object at once, but by their names
 * in the user's language; the machine name is one more call for each. The same widget class answers
 * the same, so a name is asked for once per program. */
#include "backend/atspi/words.h"

struct bus_word {
	struct bus_word *next;
	char *shown;
	char *machine; /* NULL: asked for, not answered */
};

static struct bus_word *word_free(struct bus_word *w)
{
	struct bus_word *next = w->next;

	free(w->shown);
	free(w->machine);
	free(w);
	return next;
}

void bus_words_free(struct bus_word *w)
{
	while (w)
		w = word_free(w);
}

void words_forget_unanswered(struct atspi_peer *peer)
{
	struct bus_word **at = &peer->words;

	while (*at) {
		if ((*at)->machine)
			at = &(*at)->next;
		else
			*at = word_free(*at);
	}
}

static struct bus_word *find(struct bus_word *w, const char *shown)
{
	while (w && strcmp(w->shown, shown) != 0)
		w = w->next;
	return w;
}

bool words_know(const struct atspi_peer *peer, const char *shown)
{
	return find(peer->words, shown) != NULL;
}

const char *words_machine(const struct atspi_peer *peer, const char *shown)
{
	const struct bus_word *w = find(peer->words, shown);

	return w ? w->machine : NULL;
}

struct bus_word *words_add(struct atspi_peer *peer, const char *shown)
{
	struct bus_word *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->shown = strdup(shown);
	if (!w->shown) {
		free(w);
		return NULL;
	}
	w->next = peer->words;
	peer->words = w;
	return w;
}

void words_set(struct bus_word *w, const char *machine)
{
	free(w->machine);
	w->machine = strdup(machine);
}
