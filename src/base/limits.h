/* Every limit of deft in one place. docs/limits.md lists them; meeting one is a typed error or a
 * marked cut, never a crash and never silence. Sizes are bytes, times are milliseconds. */
#ifndef DEFT_BASE_LIMITS_H
#define DEFT_BASE_LIMITS_H

/* --- one-line JSON between client and daemon ------------------------------------------------ */
#define LIM_ENVELOPE_LINE (8u * 1024 * 1024)      /* one request or response line */
#define LIM_JSON_DEPTH 2048                       /* nesting of any JSON, in and out */
#define LIM_DAEMON_CONNECTIONS 64                 /* open client connections */
#define LIM_DAEMON_SESSIONS 64                    /* open sessions */
#define LIM_REQUEST_DEFAULT_MS 90000              /* a request without a deadline of its own */
#define LIM_REQUEST_MAX_MS 600000                 /* the longest deadline a request may ask for */
#define LIM_REQUEST_MARGIN_MS 5000                /* a request outlives its own time budget by this */
#define LIM_DAEMON_START_MS 15000                 /* client waits this long for a new daemon */
#define LIM_DAEMON_HELLO 16384                    /* a line of the handshake */
#define LIM_DAEMON_HELLO_MS 3000                  /* a daemon that accepts must say hello within this */
#define LIM_DAEMON_REQUESTS 64                    /* running requests, all connections */
#define LIM_DAEMON_LOG_TAIL 4096                  /* end of daemon.log shown when a start failed */
#define LIM_DAEMON_IDLE_MS (30 * 60 * 1000)       /* daemon without sessions and requests leaves */
#define LIM_SESSION_IDLE_MS (4 * 60 * 60 * 1000)  /* a session nobody uses is closed after this */
#define LIM_SESSION_TRACE_MS (7 * 24 * 60 * 60 * 1000LL) /* traces of dead sessions are kept this long */
#define LIM_DEVICES 64                            /* devices listed at once */
#define LIM_DAEMON_WRITE_MS 30000                 /* a client that does not read is given up */
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
#define LIM_RUNNER_SHUTDOWN_MS 5000               /* the runner answers a graceful `shutdown` */
#define LIM_RUNNER_EXIT_MS 2000                   /* and then leaves; else it is killed */
#define LIM_RUNNER_KILL_MS 1000                   /* after SIGTERM to a runner that is not trusted */
#define LIM_RUNNER_BACKOFF_MS 300                 /* between two tries to connect, doubled each time */
#define LIM_RUNNER_BACKOFF_MAX_MS 2000
#define LIM_RUNNER_BACKOFF_MIN_MS 20              /* less is left: no further try */
#define LIM_RUNNER_READ_ATTEMPTS 3                /* a read whose reply was lost */
#define LIM_RUNNER_READ_RETRY_MS 200              /* before its second try; doubled each time */
#define LIM_HTTP_KEPT_MS 5000                     /* an idle connection older than this is not reused */
#define LIM_HTTP_POLL_MS 60000                    /* one wait of a request without a deadline */
#define LIM_RUNNER_LOG_TAIL 4096                  /* end of a runner log shown with its failure */
#define LIM_COMMAND_ID 256                        /* bytes of one command or request id */
#define LIM_RUNNER_DRAIN (16u * 1024 * 1024)      /* a refused body up to here is read before the refusal */
#define LIM_RUNNER_SEALED 16384                   /* bytes of a body that its seal covers */
#define LIM_RUNNER_CONNECTIONS 128                /* open HTTP connections of a runner */
#define LIM_RUNNER_KEEPALIVE_MS 300000            /* an idle kept connection is closed after this */
#define LIM_RUNNER_DRAIN_MS 2000                  /* a stopping runner waits this long for its work */
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
#define LIM_ATSPI_BULK_MS 3000                    /* one D-Bus call that brings a whole tree */
#define LIM_ATSPI_PROBE_MS 150                    /* asking a program that was silent before */
#define LIM_ATSPI_READ_BACK_MS 500                /* until a value, focus or text shows as set */
#define LIM_ATSPI_PEERS 256                       /* programs on the accessibility bus */
#define LIM_ATSPI_CHILDREN 2000                   /* more children of one node: not all are read, … */
#define LIM_ATSPI_CHILDREN_SHOWN 500              /* … but these, around what is shown */

/* --- input ---------------------------------------------------------------------------------- */
#define LIM_TEXT 1000000                          /* code points in one fill or type */
#define LIM_SELECTOR 4096
#define LIM_SELECTOR_TERMS 16
#define LIM_SELECTOR_ALTERNATIVES 8
#define LIM_PRESS_COUNT 200
#define LIM_INTERVAL_MS 10000
#define LIM_JITTER_PX 100
#define LIM_HOLD_MS 10000
#define LIM_SWIPE_MIN_MS 16
#define LIM_SWIPE_MAX_MS 10000
#define LIM_SCROLL_PASSES 40                      /* scroll top, scroll bottom */
#define LIM_SCROLL_IDLE_PASSES 3                  /* passes that change nothing, then it gives up */
#define LIM_WAIT_DEFAULT_MS 10000
#define LIM_WAIT_POLL_MS 100
#define LIM_WAIT_GRACE_MS 2000                    /* a capture that has begun may end this much later */

/* --- controls ------------------------------------------------------------------------------- */
#define LIM_CONTROL_READS 10                      /* readings of one settling, … */
#define LIM_CONTROL_GAP_MS 100                    /* … this far apart, … */
#define LIM_CONTROL_SETTLE_MS 1000                /* … and no longer than this, though two at least */
#define LIM_ADJUST_MS 120000                      /* one adjustment with all its attempts */
#define LIM_ADJUST_RESOLVE_MS 2000                /* until a selector or element_id matches */
#define LIM_ADJUST_CANDIDATES 8                   /* matches of a selector looked at as controls */

/* --- X11 (desktop backend) ------------------------------------------------------------------ */
#define LIM_X11_WINDOWS 4096                      /* windows looked at in one listing */
#define LIM_X11_PROPERTY 65536                    /* one window property */
#define LIM_X11_RAISE_MS 1500                     /* the window manager brings a window forward */
#define LIM_X11_CONNECT_MS 1500                   /* a server that accepts and says nothing */
#define LIM_X11_RETRY_MS 500                      /* between attempts to reach a server */
#define LIM_X11_UNDO_MS 1000                      /* releasing keys and buttons after a cancel */
#define LIM_X11_PING_MS 2000                      /* a program reads the keys that were sent to it */
#define LIM_X11_TYPE_BATCH 256                    /* keys sent before the program must have read them */
#define LIM_X11_SPARE_KEYS 64                     /* unused keycodes given a meaning for typing */
#define LIM_TEXT_SETTLE_MS 1000                   /* typed text appears in the field */

/* --- programs (desktop backend) ------------------------------------------------------------- */
#define LIM_DESKTOP_ENTRY (1024u * 1024)          /* one .desktop file */
#define LIM_DESKTOP_ENTRIES 8192                  /* .desktop files looked at */
#define LIM_LAUNCH_ARGS 256                       /* words of one command line */
#define LIM_LAUNCH_TAIL 2048                      /* last output of a program that ended at once */
#define LIM_LAUNCH_MS 15000                       /* a program shows on the accessibility bus */
#define LIM_TERMINATE_MS 5000                     /* a program closes when asked */

/* --- the virtual device --------------------------------------------------------------------- */
#define LIM_SCENE (16u * 1024 * 1024)             /* a scene file or a recorded dump */
#define LIM_SCENE_DEPTH 400                       /* widgets in widgets */
#define LIM_SCENE_BYTES (32u * 1024 * 1024)       /* texts of a scene, repetitions written out */
#define LIM_SCENE_NUMBER 1000000000               /* any number in a scene, either sign */
#define LIM_TIMERS 256                            /* running timers of a scene */
#define LIM_TIMER_RUNS 10000                      /* timers fired by one command */
#define LIM_FAULTS 64                             /* faults of a scene, and of the command line */

/* --- files, processes, names ---------------------------------------------------------------- */
#define LIM_PATH 4096
#define LIM_DESKTOP_CHECK_MS 1000                 /* whether a desktop's buses answer, for `devices` */
#define LIM_LOCK_POLL_MS 10                      /* between two tries for a file lock */
#define LIM_SESSION_NAME 128
#define LIM_PROC_OUTPUT (8u * 1024 * 1024)        /* captured output of a host tool */
#define LIM_IMAGE_SIDE 16384
#define LIM_SCREENSHOTS_KEPT 100                  /* newest pictures in <state>/screenshots */
#define LIM_MCP_IMAGE_SIDE 1568                   /* default longest side of an image in MCP */
#define LIM_MCP_IMAGE_BYTES (700u * 1024)         /* encoded size of an image in MCP */
#define LIM_MCP_TEXT (100u * 1024)                /* text of one MCP result; then a marked cut */
#define LIM_HELP_TEXT (256u * 1024)               /* help, completion script, usage */
#define LIM_ARGV_WORDS 4096                       /* words of one command line */
#define LIM_LOG_TAIL 10000                        /* lines of `daemon logs` */
#define LIM_ERROR_TEXT 4096

/* --- front ends ------------------------------------------------------------------------------ */
#define LIM_CLI_OUTPUT (64u * 1024 * 1024)        /* what one command prints */
#define LIM_CLIENT_GRACE_MS 5000                  /* a client waits this long over the request's deadline */
#define LIM_CANCEL_WAIT_MS 2000                   /* and this long for the answer to a cancellation */
#define LIM_MCP_LINE (8u * 1024 * 1024)           /* one JSON-RPC message from a client */
#define LIM_MCP_QUEUE (24u * 1024 * 1024)         /* answers the client has not read; at a quarter we read no more */
#define LIM_MCP_BATCH 16                          /* messages of one batch (old protocol versions) */
#define LIM_MCP_ECHO 200                          /* of a client's own words in an error message */
#define LIM_MCP_CALLS 64                          /* tool calls running at once */
#define LIM_MCP_DRAIN_MS 800                      /* after the end of stdin: for what still runs */

#endif
