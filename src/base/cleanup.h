/* Release by attribute. The whole set:
 *
 *   auto_free   char *p            free()
 *   auto_close  int fd             close() when >= 0
 *   auto_json   json_t *j          json_decref()
 *   auto_error  struct error e     error_clear()      (declared in error.h)
 *   auto_buf    struct buf b       buf_done()         (declared in buf.h)
 *
 * TAKE(p) hands a pointer on and leaves NULL behind; TAKE_FD(fd) leaves -1. */
#ifndef DEFT_BASE_CLEANUP_H
#define DEFT_BASE_CLEANUP_H

#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

static inline void cleanup_free(void *p)
{
	free(*(void **)p);
}

static inline void cleanup_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void cleanup_json(json_t **j)
{
	json_decref(*j);
}

#define auto_free __attribute__((cleanup(cleanup_free)))
#define auto_close __attribute__((cleanup(cleanup_close)))
#define auto_json __attribute__((cleanup(cleanup_json)))

#define TAKE(p)                      \
	__extension__({                  \
		__typeof__(p) take_p_ = (p); \
		(p) = NULL;                  \
		take_p_;                     \
	})

#define TAKE_FD(fd)            \
	__extension__({            \
		int take_fd_ = (fd);   \
		(fd) = -1;             \
		take_fd_;              \
	})

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif
