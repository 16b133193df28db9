# The two commands of a fresh clone: `make run` and `make test`. Both install what is missing first.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

VERSION := $(shell cat build/VERSION)
BIN := build/bin
LINT := build/cache/bin/golangci-lint
WINDOW_TAGS := webkit2_41,desktop,production
LDFLAGS := -s -w -X main.version=$(VERSION)
GO_SOURCES = $(shell find $(wildcard *.go) backend catalog frontend/assets.go -name '*.go' -not -name '*_test.go' 2>/dev/null) go.mod go.sum build/VERSION build/icons/apollia-256.png
UI_SOURCES = $(shell find frontend/src frontend/public -type f) $(wildcard frontend/*.html frontend/*.ts frontend/package-lock.json)

.PHONY: help
help: ## This list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|'

.PHONY: run
run: setup-run ## Installs what is missing, builds, opens the window; without a display prints a link for the browser
	@$(MAKE) --no-print-directory build
	@build/run.sh

.PHONY: test
test: ## The whole gate: check, unit tests with -race, browser, real window, command line, packages
	@build/test.sh

.PHONY: check
check: setup-check ## Format, lint, types, architecture, generated files: seconds
	@build/check.sh

.PHONY: fix
fix: setup-check ## Formats everything and mends what the linters can mend
	$(LINT) fmt
	$(LINT) run --fix ./... || true
	cd frontend && npm run --silent format

.PHONY: gen
gen: setup-check ## Writes the OpenAPI document and the types of the UI's client
	go run ./backend/api/openapi >build/cache/openapi.json
	mv build/cache/openapi.json backend/api/openapi.json
	cd frontend && npm run --silent api

.PHONY: build
build: setup-run $(BIN)/apollia $(BIN)/apollia-desktop ## Both programs into build/bin/

.PHONY: cli
cli: setup-run $(BIN)/apollia ## Only the static command line, build/bin/apollia

frontend/dist/index.html: $(UI_SOURCES)
	cd frontend && npm run --silent build
	@touch $@

$(BIN)/apollia: frontend/dist/index.html $(GO_SOURCES)
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o $@ ./backend/cmd/apollia

$(BIN)/apollia-desktop: frontend/dist/index.html $(GO_SOURCES)
	go build -trimpath -tags $(WINDOW_TAGS) -ldflags '$(LDFLAGS)' -o $@ .

.PHONY: conformance
conformance: setup-test ## The official protocol suite against our client, one line for each scenario and revision
	@build/conformance.sh

.PHONY: bench
bench: setup-test build ## Measures the promises of docs/performance.md and rewrites it
	cd build/tools && go build -o ../cache/bin/bench ./bench
	go build -o build/cache/bin/mcpfake ./backend/mcptest/mcpfake
	go test -c -o build/cache/bin/pool.test ./backend/pool
	go test -c -o build/cache/bin/core.test ./backend/core
	go test -c -o build/cache/bin/lan.test ./backend/lan
	go test -c -o build/cache/bin/search.test ./backend/search
	build/window/session.sh build/cache/bin/bench -root . -report docs/performance.md

.PHONY: fuzz
fuzz: setup-check ## Fuzzes every parser, FUZZTIME each (60s); ONLY=Name for some
	@build/fuzz.sh $(ONLY)

.PHONY: package
package: setup-run build ## .deb, .tar.gz and the static programs for every system, into dist/
	@build/package.sh $(VERSION)

.PHONY: screenshots
screenshots: setup-test build ## Every screen in every state into build/screenshots/
	cd frontend && npm run --silent screenshots

.PHONY: icons
icons: ## Draws the icons again from build/icons/apollia.svg (needs Chromium)
	cd build/tools && go run ./icons

.PHONY: setup-run setup-check setup-test
setup-run setup-check setup-test: setup-%:
	@build/setup.sh $*
