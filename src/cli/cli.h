/* The command line of `deft`: argv → command table → one request to the daemon → terminal.
 *
 * Exit status: 0; that of the error table (base/error_table.h); 128+N when signal N ended the wait
 * (SIGINT: 130); 141 when the reader of stdout went away. Result on stdout, all else on stderr. */
#ifndef DEFT_CLI_CLI_H
#define DEFT_CLI_CLI_H

int cli_main(int argc, const char *const *argv);

#endif
