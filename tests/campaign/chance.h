/* Seeded chance: the same seed gives the same numbers on every machine. */
#ifndef DEFT_TESTS_CAMPAIGN_CHANCE_H
#define DEFT_TESTS_CAMPAIGN_CHANCE_H

#include <stdbool.h>
#include <stdint.h>

struct chance {
	uint64_t state;
};

/* splitmix64: neighbouring seeds give unrelated numbers. */
static inline uint64_t chance_next(struct chance *c)
{
	uint64_t z = (c->state += 0x9e3779b97f4a7c15u);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static inline uint32_t chance_below(struct chance *c, uint32_t n)
{
	return (uint32_t)(chance_next(c) >> 32) % n;
}

/* True in one of n cases. */
static inline bool chance_one_in(struct chance *c, uint32_t n)
{
	return chance_below(c, n) == 0;
}

#endif
