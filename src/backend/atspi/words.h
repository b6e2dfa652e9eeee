/* Machine names of actions by what a program shows (see bus_words.c). */
#ifndef DEFT_BACKEND_ATSPI_WORDS_H
#define DEFT_BACKEND_ATSPI_WORDS_H

#include "backend/atspi/bus.h"

bool words_know(const struct atspi_peer *peer, const char *shown);
/* NULL: unknown, or the program did not tell. Valid while the peer lives. */
const char *words_machine(const struct atspi_peer *peer, const char *shown);
/* A new entry without a machine name yet; NULL when memory ran out. */
struct bus_word *words_add(struct atspi_peer *peer, const char *shown);
/* Forgets what was asked for and not answered, so that it is asked for again. */
void words_forget_unanswered(struct atspi_peer *peer);
void words_set(struct bus_word *w, const char *machine);

#endif
