/* Every limit of deft in one place. docs/limits.md lists them; meeting one is a typed error or a
 * marked cut, never a crash and never silence. Sizes are bytes, times are milliseconds. */
#ifndef DEFT_BASE_LIMITS_H
#define DEFT_BASE_LIMITS_H

/* --- one-line JSON between client and daemon ------------------------------------------------ */
#define LIM_ENVELOPE_LINE (8u * 1024 * 1024)      /* one request or response line */
#define LIM_DAEMON_CONNECTIONS 64                 /* open client connections */
#define LIM_DAEMON_SESSIONS 64                    /* open sessions */
#define LIM_REQUEST_DEFAULT_MS 90000              /* a request without a deadline of its own */
#define LIM_REQUEST_MAX_MS 600000                 /* the longest deadline a request may ask for */
#define LIM_DAEMON_START_MS 15000                 /* client waits this long for a new daemon */
#define LIM_DAEMON_IDLE_MS (30 * 60 * 1000)       /* daemon without sessions and requests leaves */
#define LIM_DAEMON_STOP_MS 10000                  /* clean stop: then children are killed */
#define LIM_LOG_FILE (4u * 1024 * 1024)           /* daemon.log and events.ndjson rotate once here */

/* --- runner protocol (spec: runner protocol 1.11, 3.4) -------------------------------------- */
#define LIM_RUNNER_REQUEST (2u * 1024 * 1024)     /* request headers + body; above: HTTP 413 */
#define LIM_RUNNER_REPLY (64u * 1024 * 1024)      /* client refuses larger replies */
#define LIM_RUNNER_WATCHDOG_MS 30000              /* one command on the executor */
#define LIM_RUNNER_WEDGED_MS 120000               /* abandoned work older than this: RUNNER_WEDGED */
#define LIM_RUNNER_QUEUE 64                       /* commands waiting for the executor */
#define LIM_RUNNER_STARTUP_MS 45000
#define LIM_RUNNER_COMMAND_MS 45000
#define LIM_RUNNER_PREFLIGHT_MS 1000
#define LIM_RUNNER_STATUS_MS 3000
#define LIM_RUNNER_RECENCY_MS 5000                /* healthy-mutation recency, inclusive */
#define LIM_RUNNER_SHUTDOWN_MS 15000
#define LIM_JOURNAL_ENTRIES 64
#define LIM_JOURNAL_REPLY 16384                   /* retained reply JSON, inclusive */
#define LIM_SEQUENCE_STEPS 20
#define LIM_SEQUENCE_BUDGET_MS 20000
#define LIM_SEQUENCE_OVERHEAD_MS 250

/* --- trees ---------------------------------------------------------------------------------- */
#define LIM_TREE_NODES 50000
#define LIM_TREE_DEPTH 512
#define LIM_TREE_STRING 65536                     /* one label/value; longer is cut and marked */
#define LIM_TREE_ACTIONS 32                       /* actions of one node */
#define LIM_SNAPSHOT_BUDGET_MS 20000              /* whole capture plan */
#define LIM_ATSPI_CALL_MS 800                     /* one D-Bus call */
#define LIM_ATSPI_CONNECT_MS 1500                 /* bus address + connection + handshake */
#define LIM_ATSPI_FIRST_APPS_MS 5000              /* application list may be empty this long */
#define LIM_ATSPI_PIPELINE 256                    /* calls in flight on one connection */

/* --- input ---------------------------------------------------------------------------------- */
#define LIM_TEXT 1000000                          /* code points in one fill or type */
#define LIM_SELECTOR 4096
#define LIM_SELECTOR_TERMS 16
#define LIM_SELECTOR_ALTERNATIVES 8
#define LIM_PRESS_COUNT 200
#define LIM_INTERVAL_MS 10000
#define LIM_HOLD_MS 10000
#define LIM_SWIPE_MIN_MS 16
#define LIM_SWIPE_MAX_MS 10000
#define LIM_WAIT_DEFAULT_MS 10000
#define LIM_WAIT_POLL_MS 100

/* --- files, processes, names ---------------------------------------------------------------- */
#define LIM_PATH 4096
#define LIM_SESSION_NAME 128
#define LIM_PROC_OUTPUT (8u * 1024 * 1024)        /* captured output of a host tool */
#define LIM_IMAGE_SIDE 16384
#define LIM_MCP_IMAGE_SIDE 1568                   /* default longest side of an image in MCP */
#define LIM_MCP_IMAGE_BYTES (700u * 1024)         /* encoded size of an image in MCP */
#define LIM_MCP_TEXT (100u * 1024)                /* text of one MCP result; then a marked cut */
#define LIM_ERROR_TEXT 4096

#endif
