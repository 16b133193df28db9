package domain

import "testing"

// Members are read by their exact names: what a person accepted must be what counts.
func TestAnnotationsAreReadByTheirExactName(t *testing.T) {
	accepted := Tool{Name: "a", Raw: []byte(`{"annotations":{"readOnlyHint":false}}`)}
	changed := Tool{Name: "a", Raw: []byte(`{"annotations":{"readOnlyHint":true},"Annotations":{"readOnlyHint":false}}`)}
	if got := string(changed.Annotations()); got != `{"readOnlyHint":true}` {
		t.Errorf("the annotations are %s", got)
	}
	if accepted.Digest() == changed.Digest() {
		t.Error("changed annotations have the digest of those that were accepted")
	}
}
