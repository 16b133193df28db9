package backend_test

import (
	"regexp"
	"testing"
)

const (
	specificationTable   = "docs/specification.md"
	specificationColumns = 2 // promise, shown by
)

var notYet = regexp.MustCompile(`^later: \S.+$`)

// A promise names tests that exist, and after the gate tests that it ran; or it says which part brings it later.
func TestSpecificationTableNamesTests(t *testing.T) {
	exists := shownTests(t)
	rows := tableRows(t, specificationTable, specificationColumns)
	if len(rows) == 0 {
		t.Fatalf("%s has no rows", specificationTable)
	}
	for _, row := range rows {
		if notYet.MatchString(row[1]) {
			continue
		}
		if complaint := judgeCell(row[1], exists); complaint != "" {
			t.Errorf("%s: %s", row[0], complaint)
		}
	}
}
