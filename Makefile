# The front door. Every target does its own set-up; `make` alone says what there is.
BUILD := build
PREFIX ?= /usr/local
# How many random programs `make test-long` compares, and where they begin.
PROGRAMS ?= 10000
FIRST ?= 100001
# What `make test` runs a sample of, and `make test-long` all.
THINNED := ways planes missing_visible kernels ptx_machine bundles tf32 gpu_kit golly golly_grids golly_tables \
  many_values patterns schedules model_chains model_forms model_operations model_tensors body_operations pass_options fuzz hostile_ir \
  one_message total_edges docs notebooks
THINNED_EXAMPLES := graph potts sudoku text
THINNED_PYTHON := nan_doors
# What `make fuzz` gives bytes to (all targets in turn if not said), and for how long each.
TARGET ?=
SECONDS ?= 60
# As many compilers as cores: more, as ninja has it by itself, take 4 % longer.
NINJA := ninja -j$(shell nproc)
# Whom `make bench` measures beside us, and whether it takes hours or two minutes (QUICK=1).
PEERS ?= numba,jax,torch,taichi,thrml
QUICK ?=
# The folder of another build, whose tools then take turns with these instead of all others.
BEFORE ?=

.DEFAULT_GOAL := help
.PHONY: help setup build all demo test lint tidy format install test-long test-asan check-math bench clean
.PHONY: fuzz gpu-kit test-gpu bench-gpu wheel notebooks

help:
	@echo "LMPM: programs made of rules that propose and constraints that agree, compiled by MLIR."
	@echo
	@echo "Start here"
	@echo "  make demo        build, then run examples/video: about ten minutes the first time"
	@echo "  make test        build everything and run every test (lit, GoogleTest, pytest)"
	@echo
	@echo "Work on it"
	@echo "  make setup       Debian packages and the Python environment .venv (others call it)"
	@echo "  make build       the tools in build/bin and the plugin in build/lib/LCIPlugin.so"
	@echo "  make lint        format, style, and clang-tidy on what changed since main"
	@echo "  make tidy        clang-tidy on every file: ten minutes"
	@echo "  make format      rewrite the C++ files with clang-format-22"
	@echo "  make test-long   10,000 more random programs and 2,000 wild ones, 50 and every example in all ways, 1,000 kills, clang-tidy: hours"
	@echo "  make test-asan   the tests under the address and undefined-behaviour sanitizers"
	@echo "  make fuzz        readers and passes on inputs nobody wrote (TARGET=program SECONDS=60; fuzz/README.md)"
	@echo "  make notebooks   execute docs/notebooks and write what they show"
	@echo "  make bench       ours beside plain and hand-tuned C++ and Python's compilers (QUICK=1, PEERS=…), or beside another build of ours (BEFORE=…)"
	@echo "  make test-gpu    bits on an NVIDIA GPU; without one, what to carry to a machine that has one"
	@echo "  make bench-gpu   speeds there"
	@echo "  make gpu-kit     what these two run, in build/gpu-kit"
	@echo "  make check-math  every function of the language on all 2^32 inputs (hours)"
	@echo
	@echo "Use it elsewhere"
	@echo "  make wheel       the Python package with the tools as a wheel in build/wheel; pip install . does the same"
	@echo "  make install     into PREFIX (now $(PREFIX)), for find_package(LCI)"
	@echo "  make clean       remove what was built; .venv stays"
	@echo
	@echo "One test: build/bin is on the path of  .venv/bin/python3 /usr/lib/llvm-22/bin/lit -v build/test/FOLDER"

setup:
	@scripts/setup.sh

$(BUILD)/build.ninja: CMakePresets.json | setup
	@scripts/configure.sh dev

build: $(BUILD)/build.ninja
	@$(NINJA) -C $(BUILD) lci-build

all: $(BUILD)/build.ninja
	@$(NINJA) -C $(BUILD)

demo: build
	@scripts/demo.sh $(BUILD)

# What tests alone use is installed while everything is built.
test: $(BUILD)/build.ninja
	@scripts/setup.sh --tests & setup=$$!; $(NINJA) -C $(BUILD); built=$$?; \
	  wait $$setup && [ $$built -eq 0 ] && .venv/bin/python3 scripts/run_tests.py $(BUILD)

lint: $(BUILD)/build.ninja
	@scripts/lint.sh $(BUILD)

tidy: $(BUILD)/build.ninja
	@scripts/lint.sh --tidy $(BUILD)

format: | setup
	@git ls-files -co --exclude-standard '*.cpp' '*.h' | xargs clang-format-22 -i

install: build
	@$(NINJA) -C $(BUILD) lci-libraries
	@cmake --install $(BUILD) --prefix "$(PREFIX)"

test-long: all
	@$(BUILD)/unittests/LCIDifferentialTests --programs=$(PROGRAMS) --first=$(FIRST) --native-every=5
	@$(BUILD)/unittests/LCIDifferentialTests --programs=$$(($(PROGRAMS) / 200)) --first=$(FIRST) --all-ways --beyond=0
	@$(BUILD)/unittests/LCIDifferentialTests --programs=850 --first=801
	@.venv/bin/python3 scripts/wild_programs.py --build $(BUILD) --seed $(FIRST) --programs $$(($(PROGRAMS) / 5)) --all-kinds --jobs $(shell nproc)
	@.venv/bin/python3 scripts/kill_runs.py --build $(BUILD) --kills 1000
	@.venv/bin/python3 scripts/damage_bundles.py --build $(BUILD) --changes 0
	@LCI_BUILD_DIR=$(BUILD) LCI_ALL_WAYS=1 OMP_WAIT_POLICY=passive .venv/bin/python3 -m pytest -q -n 2 \
	  $(THINNED:%=scripts/test/test_%.py) $(THINNED_EXAMPLES:%=examples/%/test) \
	  $(THINNED_PYTHON:%=python/test/test_%.py) benchmarks/test
	@LCI_ALL_WAYS=1 $(BUILD)/unittests/LCIPlaneDrawsTests
	@LCI_ALL_WAYS=1 .venv/bin/python3 /usr/lib/llvm-22/bin/lit -v $(BUILD)/test/Driver
	@scripts/new_user.sh
	@scripts/lint.sh --tidy $(BUILD)

test-asan:
	@scripts/setup.sh --sanitizers --tests
	@scripts/configure.sh asan
	@$(NINJA) -C build-asan
	@.venv/bin/python3 scripts/run_tests.py build-asan

fuzz:
	@scripts/setup.sh --sanitizers
	@scripts/configure.sh asan
	@$(NINJA) -C build-asan lci-fuzz lci-build
	@.venv/bin/python3 fuzz/fuzz.py --build build-asan --seconds $(SECONDS) $(if $(TARGET),--target $(TARGET))

notebooks: build
	@scripts/setup.sh --tests
	@.venv/bin/python3 scripts/notebooks.py --build $(BUILD)

check-math: $(BUILD)/build.ninja
	@$(NINJA) -C $(BUILD) check-math

bench: build
	@.venv/bin/python3 benchmarks/bench.py --build $(BUILD) --peers "$(PEERS)" $(if $(QUICK),--quick) \
	  $(if $(BEFORE),--before $(BEFORE))

# What tests and measures a GPU, to be run here or carried away: it needs a driver and Python, no compiler.
gpu-kit: build
	@.venv/bin/python3 scripts/gpu/make_kit.py --build $(BUILD) $(BUILD)/gpu-kit

test-gpu: gpu-kit
	@scripts/gpu/here.sh $(BUILD)/gpu-kit

bench-gpu: gpu-kit
	@scripts/gpu/here.sh $(BUILD)/gpu-kit --bench --peers

# Only the package is built, without tests; the second time takes seconds.
wheel: | setup
	@scripts/wheel.sh $(BUILD)/wheel

clean:
	@rm -rf build build-asan build-release build-wheel
