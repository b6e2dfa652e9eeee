/* timecmd RUNS PROGRAM [ARG…]: runs a whole process RUNS times (after one that is not counted) and
 * prints "median p90 min max" in milliseconds and the worst exit status. Output of the program is
 * thrown away. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static int once(char **argv, posix_spawn_file_actions_t *quiet, double *ret_ms)
{
	pid_t pid;
	int status = 0;
	double from = now_ms();
	int r = posix_spawnp(&pid, argv[0], quiet, NULL, argv, environ);
	if (r != 0)
		return 127;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	*ret_ms = now_ms() - from;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int main(int argc, char **argv)
{
	int runs = argc > 2 ? (int)strtol(argv[1], NULL, 10) : 0;
	if (runs < 1 || runs > 10000) {
		fprintf(stderr, "usage: timecmd RUNS PROGRAM [ARG...]\n");
		return 2;
	}
	posix_spawn_file_actions_t quiet;
	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
	double *times = calloc((size_t)runs, sizeof(*times)), warm;
	int worst = times ? once(argv + 2, &quiet, &warm) : 127;
	for (int i = 0; i < runs && times; i++) {
		int status = once(argv + 2, &quiet, &times[i]);
		worst = status > worst ? status : worst;
	}
	posix_spawn_file_actions_destroy(&quiet);
	if (!times)
		return 1;
	qsort(times, (size_t)runs, sizeof(*times), compare);
	printf("%.2f %.2f %.2f %.2f %d\n", times[runs / 2], times[runs * 9 / 10], times[0],
	       times[runs - 1], worst);
	free(times);
	return 0;
}
