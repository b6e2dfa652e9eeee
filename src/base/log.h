/* Log lines to stderr (programs redirect it to their log file): "<iso time> <level> <room>: text".
 * Secrets are redacted by the caller: a log line never carries text typed into a field. */
#ifndef DEFT_BASE_LOG_H
#define DEFT_BASE_LOG_H

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

void log_set_level(enum log_level level); /* default LOG_INFO; DEFT_LOG=error|warn|info|debug at start */
void log_init_from_env(void);
__attribute__((format(printf, 3, 4))) void log_msg(enum log_level level, const char *room,
                                                    const char *fmt, ...);

#endif
