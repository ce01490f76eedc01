# memc. `make demo` and `make test` do all the set-up themselves.
GO          ?= go
STATICCHECK ?= honnef.co/go/tools/cmd/staticcheck@v0.8.2
TIME        ?= 1m
.DEFAULT_GOAL := help

# The OpenCL headers print a note at every inclusion unless a version is named.
export CGO_CFLAGS ?= -g -O2 -DCL_TARGET_OPENCL_VERSION=120

.PHONY: help
help: ## show this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup:
	@scripts/bootstrap

.PHONY: setup-test
setup-test:
	@scripts/bootstrap --test

.PHONY: build
build: setup ## build bin/memc
	@$(GO) build -trimpath -o bin/memc ./cmd/memc

LIBMEMC ?= bin
.PHONY: libmemc
libmemc: ## build memc as a C library: bin/libmemc.so, bin/memc.h, and the Python package bin/python/memc
	@mkdir -p $(LIBMEMC)/python/memc
	@$(GO) build -trimpath -buildmode=c-shared -o $(LIBMEMC)/libmemc.so ./cmd/libmemc && rm $(LIBMEMC)/libmemc.h
	@cp cmd/libmemc/memc.h $(LIBMEMC)
	@cp codegen/pyhost/memc/__init__.py codegen/pyhost/py/_memc.py $(LIBMEMC)/libmemc.so $(LIBMEMC)/python/memc

.PHONY: cross
cross: ## build for other systems, without cgo
	@scripts/release --check

.PHONY: release-dry-run
release-dry-run: setup ## archives, a .deb and checksums into out/release; publishes nothing
	@scripts/release

.PHONY: demo
demo: build ## compile and run canny edge detection, on OpenCL or as C on the processors
	@scripts/demo

.PHONY: playground
playground: ## memc in a browser: one page, out/playground/index.html, and its test in Chromium
	CGO_ENABLED=0 $(GO) run ./cmd/playground -o out/playground/index.html
	MEMC_PLAYGROUND=$(CURDIR)/out/playground/index.html CGO_ENABLED=0 $(GO) test -tags=playground -count=1 ./cmd/playground

.PHONY: vscode
vscode: ## the extension for Visual Studio Code, out/memc.vsix (needs npm)
	rm -rf out/vscode && mkdir -p out && cp -r editors/vscode out/vscode && cp LICENSE out/vscode
	cd out/vscode && npm install --no-package-lock --no-audit --no-fund && \
		npx --yes @vscode/vsce@3.9.2 package --allow-missing-repository -o ../memc.vsix

.PHONY: neovim
neovim: ## try memc lsp in Neovim
	$(GO) build -o bin/memc ./cmd/memc
	PATH="$(CURDIR)/bin:$$PATH" $(GO) test -vet=off -tags=editors -count=1 -run=TestNeovim ./internal/lsp

.PHONY: test
test: setup-test lint ## lint, and run every test on the interpreters and on OpenCL
	$(GO) test -vet=off -timeout 30m ./... # lint has vetted
	$(GO) build -trimpath -o bin/memc ./cmd/memc
	CGO_ENABLED=0 $(GO) test -trimpath -vet=off ./runtime
	scripts/programs $(filter-out testdata/expert,$(wildcard testdata/*)) examples benchmarks
	scripts/programs --like-gpu testdata/groups testdata/imp
	EVERY=5 scripts/programs --like-gpu testdata/fixedbugs
	scripts/programs --small-device testdata/groups testdata/imp
	bin/memc test --device=c testdata/c
	POCL_DEVICES="pthread pthread pthread" EVERY=2 scripts/programs --device=0,1,2 --scatter=1 $(filter-out testdata/middle testdata/expert testdata/versions,$(wildcard testdata/*))
	POCL_DEVICES="pthread pthread" scripts/programs --device=0,1 --scatter=2 --apart testdata/imp testdata/groups
	scripts/sanitize
	scripts/oclgrind

.PHONY: sanitize
sanitize: build ## programs as C under sanitizers (address, undefined, thread), and valgrind
	scripts/sanitize testdata/c testdata/imp

.PHONY: expert
expert: build ## the programs of testdata/expert on OpenCL and as C; `make test` runs them on the interpreters
	scripts/programs testdata/expert
	bin/memc test --device=c testdata/expert

.PHONY: compilers
compilers: setup-test ## every program as C by gcc -O0 to -O3 and clang, in an hour
	scripts/compilers

.PHONY: lint
lint: ## gofmt, go vet, staticcheck, go mod tidy
	@bad=$$(gofmt -l $$(git ls-files --cached --others --exclude-standard '*.go')); if [ -n "$$bad" ]; then echo "gofmt would change: $$bad"; exit 1; fi
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	$(GO) mod tidy -diff

.PHONY: golden
golden: ## rewrite golden files
	MEMC_GOLDEN=1 $(GO) test ./...

.PHONY: check
check: test golden ## everything, and goldens leave no diff
	git diff --exit-code

.PHONY: fuzz
fuzz: build ## random programs in every way, and Go's fuzzers, TIME=1m each
	bin/memc fuzz --time $(TIME) --opencl 1/10
	$(GO) test -run '^$$' -fuzz 'FuzzParse$$' -fuzztime $(TIME) ./parser
	$(GO) test -run '^$$' -fuzz 'FuzzParsePrint$$' -fuzztime $(TIME) ./parser
	$(GO) test -run '^$$' -fuzz 'FuzzJSON$$' -fuzztime $(TIME) ./ir/irjson
	$(GO) test -run '^$$' -fuzz 'FuzzPipeline$$' -fuzztime $(TIME) ./internal/fuzz/difftest
	$(GO) test -run '^$$' -fuzz 'FuzzImport$$' -fuzztime $(TIME) ./import/futhark

# Reduced sizes, for a processor: 33 programs under seven configurations, and the document of them, into out/bench.
.PHONY: bench
bench: build ## measure the benchmark programs on the first OpenCL device, and write out/bench/benchmarks.md
	@mkdir -p out/bench
	bin/memc bench all canny:medium fluid:medium backprop:medium nw:medium kmeans:medium OptionPricing:medium srad:medium --set=small --runs=10 --max-time=2s \
		--config=scope,none,coalesce,reuse,both,both@driver,both@tagged --json=out/bench/here.json -o out/bench/here.md
	bin/memc bench report out/bench/here.json --figures=bench/programs -o out/bench/benchmarks.md

.PHONY: ledger
ledger: build ## measure what each special rule is worth, and write internal/bench/ledger/ledger.md, in an hour or two
	bin/memc bench ledger programs=examples,benchmarks tests=testdata -o internal/bench/ledger/ledger.md

.PHONY: scaling
scaling: ## compile-time figures for 10k, 30k and 100k statements
	@scripts/scaling

.PHONY: clean
clean: ## remove what was built
	rm -rf bin out
