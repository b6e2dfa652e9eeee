/* Feeds every file of a corpus folder to a fuzz target once. TAP, one case a file. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int feed(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return -1;
	size_t cap = 1 << 20;
	uint8_t *data = malloc(cap);
	size_t len = data ? fread(data, 1, cap, f) : 0;
	fclose(f);
	if (data)
		LLVMFuzzerTestOneInput(data, len);
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	char *names[4096];
	int n = 0;
	DIR *dir = argc > 1 ? opendir(argv[1]) : NULL;
	if (dir) {
		struct dirent *d;
		while ((d = readdir(dir)) && n < 4096)
			if (d->d_name[0] != '.')
				names[n++] = strdup(d->d_name);
		closedir(dir);
	}
	qsort(names, (size_t)n, sizeof(names[0]), by_name);
	printf("1..%d\n", n + 1);
	LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
	printf("ok 1 - empty input\n");
	for (int i = 0; i < n; i++) {
		char path[4096];
		snprintf(path, sizeof(path), "%s/%s", argv[1], names[i]);
		printf("%s %d - %s\n", feed(path) == 0 ? "ok" : "not ok", i + 2, names[i]);
		free(names[i]);
	}
	return 0;
}
