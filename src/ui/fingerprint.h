/* A digest of what a tree shows, to tell whether anything changed: roles, texts, states, ranges,
 * structure and (unless told otherwise) rects; never handles or refs. 64-bit FNV-1a as 16 hex digits. */
#ifndef DEFT_UI_FINGERPRINT_H
#define DEFT_UI_FINGERPRINT_H

#include "ui/node.h"

uint64_t ui_fingerprint(const struct ui_tree *t, bool with_rects);
void ui_fingerprint_hex(uint64_t fp, char out[17]);

#endif
