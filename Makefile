# Entry point of the build. Each target that builds first installs the packages that it needs (tools/setup), on a fresh Debian 12 too.
# CMake builds with the presets of CMakePresets.json.
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
BUILD = cmake --build --parallel $(JOBS) --preset
CTEST = ctest --parallel $(JOBS) --preset
PREFIX ?= /usr/local
# Debian's interpreter, for which tools/setup installs packages.
PYTHON ?= /usr/bin/python3

MAKEFLAGS += --no-print-directory  # for the make that CMake runs
.NOTPARALLEL:
.PHONY: build demo test sanitize install package bench docs format clean help

build:   ## the program build/bristle, examples and tools, optimised (the default)
	tools/setup demo
	cmake --preset release
	$(BUILD) release
	ln -sf release/bristle build/bristle

demo:    ## the gallery: six papers rerun and checked, on one page in build/demo
	tools/setup demo
	cmake --preset release
	$(BUILD) release --target bristle
	ln -sf release/bristle build/bristle
	build/bristle gallery --out build/demo

test:    ## all tests, optimised
	tools/setup test
	cmake --preset release -DBRISTLE_TESTS=ON
	$(BUILD) release
	$(CTEST) release --output-log build/release/ctest.log
	@echo
	@echo "release: $$(grep 'tests passed' build/release/ctest.log)"

sanitize: ## tests with sanitizers: addresses and undefined behaviour, then threads
	tools/setup test
	cmake --preset debug
	$(BUILD) debug
	$(CTEST) debug --output-log build/debug/ctest.log
	cmake --preset threads
	$(BUILD) threads
	$(CTEST) threads --output-log build/threads/ctest.log
	@echo
	@echo "addresses, undefined behaviour: $$(grep 'tests passed' build/debug/ctest.log)"
	@echo "threads:                        $$(grep 'tests passed' build/threads/ctest.log)"

# Without tests, hence without CVODE: what is installed needs oneTBB and nothing else.
SHIPPED = bristle bristle_simulate bristle_analyse bristle_identify bristle_manual
install: ## program, libraries, headers, experiments and manual page into PREFIX (/usr/local)
	tools/setup demo
	cmake --preset release -DBRISTLE_TESTS=OFF
	$(BUILD) release --target $(SHIPPED)
	cmake --install build/release --prefix $(PREFIX)

package: ## the same as a Debian package: build/bristle_VERSION_ARCHITECTURE.deb
	tools/setup package
	cmake --preset release -DBRISTLE_TESTS=OFF
	$(BUILD) release --target $(SHIPPED)
	rm -f build/bristle_*.deb
	cpack --preset release
	rm -r build/_CPack_Packages

# COVERAGE: repetitions of each fit, an hour on 2 cores for the 400 that the limits are made for; make bench COVERAGE=0 leaves them out.
COVERAGE ?= 400
bench:   ## benchmarks: a table here, JSON in build/bench/bench.json; then the coverage of intervals
	tools/setup bench
	cmake --preset bench
	$(BUILD) bench
	build/bench/bench/bristle_bench --benchmark_out=build/bench/bench.json --benchmark_out_format=json
	$(PYTHON) bench/fit_scipy.py
	$(PYTHON) bench/fit_rows.py
	[ $(COVERAGE) = 0 ] || build/bench/bench/fit_coverage $(COVERAGE)

docs:    ## rewrite the generated parts of docs/
	tools/setup demo
	cmake --preset release
	$(BUILD) release --target bristle document
	build/release/tools/document docs
	build/release/bristle gallery --out build/demo
	cp build/demo/figures/astrom2008-fig5-1.svg docs/images/phase_plane.svg

format:  ## lay out all C++ files by .clang-format
	tools/format

clean:   ## remove build/
	rm -rf build

help:    ## this list
	@sed -n 's/^\([a-z]*\): *## /make \1\t/p' Makefile | expand -t 16
