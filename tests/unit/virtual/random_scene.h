/* Random scenes that are valid by construction, and the dice they are made with. */
#ifndef DEFT_TESTS_UNIT_VIRTUAL_RANDOM_SCENE_H
#define DEFT_TESTS_UNIT_VIRTUAL_RANDOM_SCENE_H

#include <jansson.h>
#include <stdint.h>

struct dice {
	uint64_t state;
};

struct dice dice_seed(uint64_t seed);
/* 0 … below-1 */
uint32_t dice_roll(struct dice *d, uint32_t below);

/* New reference. Screens are "s0", "s1", …; widgets "w0", "w1", …. */
json_t *random_scene(struct dice *d);

#endif
