/* Any bytes as the text of a control: refused, or a finite number within its own bounds; and whatever it
 * says, the reading made of it stays within the domain's promises. */
#include "control/control.h"
#include "control/value.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds)
{
	if (!holds)
		abort();
}

static void use_reading(const uint8_t *data, size_t size)
{
	struct ct_reading r = { .enabled = true, .visible = true, .offers = CT_OFFERS_SET };
	struct ct_domain d;
	double v;
	memcpy(r.text, data, size < sizeof(r.text) ? size : sizeof(r.text) - 1);
	if (!ct_read_value(&r, NULL, &v, &d))
		return;
	expect(isfinite(v) && (!d.has_range || d.min <= d.max));
	double stop = ct_quantise(&d, v);
	expect(!d.has_range || (stop >= d.min && stop <= d.max));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ct_parsed p = { .value = NAN };
	bool good = ct_value_parse((const char *)data, size, &p);
	if (good) {
		expect(isfinite(p.value) && fabs(p.value) < 1e16);
		expect(!p.has_max || (p.max > 0 && p.value >= 0 && p.value <= p.max));
		expect(size <= 64 && !memchr(data, ',', size) && !memchr(data, 0, size));
	} else {
		expect(isnan(p.value)); /* untouched */
	}
	use_reading(data, size);
	return 0;
}
