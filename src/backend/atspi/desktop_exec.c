/* The Exec line of a desktop entry as an argument vector. */
#include "backend/atspi/desktop_entry.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/limits.h"

#include <string.h>

struct words {
	char **list;
	size_t n;
	bool failed; /* too many, or memory ran out */
};

static void add_word(struct words *w, const char *text)
{
	if (w->n == LIM_LAUNCH_ARGS)
		w->failed = true;
	if (w->failed)
		return;
	w->list[w->n] = strdup(text);
	w->failed = w->list[w->n] == NULL;
	w->n += !w->failed;
}

void desktop_argv_free(char **argv)
{
	for (char **at = argv; at && *at; at++)
		free(*at);
	free(argv);
}

/* What the field codes stand for. */
struct fields {
	const struct desktop_entry *d;
	const char *const *args;
	size_t n_args;
	bool used; /* a code took the args */
};

/* One code inside a word; whole: it is the word, and may become several or none. */
static void expand(struct words *w, struct buf *word, char code, bool whole, struct fields *f)
{
	switch (code) {
	case '%': buf_addc(word, '%'); break;
	case 'c': buf_adds(word, f->d->name ? f->d->name : ""); break;
	case 'k': buf_adds(word, f->d->file ? f->d->file : ""); break;
	case 'i':
		if (whole && f->d->icon) {
			add_word(w, "--icon");
			buf_adds(word, f->d->icon);
		}
		break;
	case 'f':
	case 'u':
		if (f->n_args == 0)
			break;
		/* Only one can be given: the others go behind. */
		buf_adds(word, *f->args++);
		f->n_args--;
		break;
	case 'F':
	case 'U':
		for (size_t i = 0; whole && i < f->n_args; i++)
			add_word(w, f->args[i]);
		f->used = f->used || whole;
		break;
	default: break; /* deprecated codes stand for nothing */
	}
}

/* Whether a word stays although it is empty: it was quoted, or had text of its own. */
struct scan {
	const char *at;
	bool quoted, plain, code, in_quotes;
};

static int scan_word(struct scan *s, struct buf *word, struct words *w, struct fields *f,
                     struct error *e)
{
	s->quoted = s->plain = s->code = s->in_quotes = false;
	for (; *s->at; s->at++) {
		char c = *s->at;
		if (c == '"') {
			s->in_quotes = !s->in_quotes;
			s->quoted = true;
		} else if (s->in_quotes && c == '\\' && s->at[1]) {
			buf_addc(word, *++s->at);
		} else if (!s->in_quotes && (c == ' ' || c == '\t' || c == '\n')) {
			break;
		} else if (c == '%' && s->at[1]) {
			bool whole = !s->plain && !s->quoted && !s->code &&
			             (s->at[2] == '\0' || strchr(" \t\n", s->at[2]));
			s->code = true;
			expand(w, word, *++s->at, whole, f);
		} else {
			s->plain = true;
			buf_addc(word, c);
		}
	}
	return s->in_quotes ? error_set(e, ERR_INVALID_ARGS, "the Exec line has an open quote") : 0;
}

static int split(const char *exec, struct words *w, struct fields *f, struct error *e)
{
	auto_buf struct buf word;
	buf_init(&word, LIM_DESKTOP_ENTRY);
	for (struct scan s = { .at = exec }; *s.at;) {
		if (strchr(" \t\n", *s.at)) {
			s.at++;
			continue;
		}
		buf_reset(&word);
		int r = scan_word(&s, &word, w, f, e);
		if (r < 0)
			return r;
		if (word.len > 0 || s.quoted)
			add_word(w, word.data);
	}
	return 0;
}

int desktop_entry_argv(const struct desktop_entry *d, const char *const *args, size_t n_args,
                       char ***ret, struct error *e)
{
	struct words w = { .list = calloc(LIM_LAUNCH_ARGS + 1, sizeof(char *)) };
	struct fields f = { d, args, n_args, false };
	if (!w.list)
		return error_set(e, ERR_COMMAND_FAILED, "memory ran out");
	int r = split(d->exec ? d->exec : "", &w, &f, e);
	if (r == 0 && w.n == 0)
		r = error_set(e, ERR_INVALID_ARGS, "the Exec line is empty");
	for (size_t i = 0; r == 0 && !f.used && i < f.n_args; i++)
		add_word(&w, f.args[i]);
	if (r == 0 && w.failed)
		r = error_set(e, ERR_LIMIT_EXCEEDED, "a command line of more than %d words",
		              LIM_LAUNCH_ARGS);
	if (r < 0) {
		desktop_argv_free(w.list);
		return error_prefix(e, "desktop entry %s", d->id ? d->id : "");
	}
	*ret = w.list;
	return 0;
}
