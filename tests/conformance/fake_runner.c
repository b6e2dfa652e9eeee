/* The scripted backend as a runner program: what the conformance suite runs against when nothing
 * else is there. Not installed. */
#include "fake_backend.h"
#include "runner/runner.h"

int main(int argc, char **argv)
{
	static struct fake_backend fake;

	fake_init(&fake);
	return rc_run(argc, argv, &fake.head);
}
