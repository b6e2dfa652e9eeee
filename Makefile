# The front door; the build itself is meson's (meson.build).
PREFIX ?= /usr/local
BUILD ?= build

.PHONY: all demo test bench mutate campaign install uninstall deps format check clean

all: $(BUILD)/build.ninja
	ninja -C $(BUILD) --quiet

$(BUILD)/build.ninja:
	@tools/install-deps build
	meson setup -Doptimization=2 -Ddebug=false -Dwerror=false -Dtests=false $(BUILD) >/dev/null

demo:
	@tools/install-deps run
	@$(MAKE) --no-print-directory all
	@tools/demo $(BUILD)

test:
	@tools/install-deps test
	@tools/run-tests $(BUILDS)

bench:
	@tools/install-deps test
	@tests/bench/run $(BENCH_ARGS)

campaign:
	@tools/install-deps test
	@tests/campaign/run $(CAMPAIGN_ARGS)

mutate:
	@tools/install-deps test
	@tools/mutate $(MUTATE_ARGS)

install: all
	meson configure $(BUILD) -Dprefix="$(PREFIX)"
	ninja -C $(BUILD) --quiet
	meson install -C $(BUILD) --destdir "$(DESTDIR)" --no-rebuild >/dev/null
	@echo "installed deft below $(DESTDIR)$(PREFIX)"

uninstall:
	ninja -C $(BUILD) uninstall

deps:
	@tools/install-deps test

format:
	git ls-files '*.[ch]' | xargs clang-format -i

clean:
	rm -rf build build-plain build-asan build-tsan build-fuzz build-bench
