/* deft-runner-linux: the runner core on a Linux desktop (AT-SPI and X11).
 *
 * Which desktop it drives is said by the environment: DISPLAY, XAUTHORITY, DBUS_SESSION_BUS_ADDRESS
 * (or AT_SPI_BUS_ADDRESS, XDG_RUNTIME_DIR). It starts without any of them and says in deviceInfo what
 * is missing. Options are those of the runner core (--port, …). */
#include "backend/atspi/backend_atspi.h"
#include "base/log.h"
#include "runner/runner.h"

int main(int argc, char **argv)
{
	struct rb_backend *backend = NULL;
	auto_error struct error e = ERROR_INIT;
	log_init_from_env();
	if (atspi_backend_open(&backend, &e) < 0) {
		log_msg(LOG_ERROR, "atspi", "%s", e.message);
		return error_exit_status(e.code);
	}
	return rc_run(argc, argv, backend);
}
