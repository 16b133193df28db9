package syntax

import "testing"

func TestEqualAcrossLanguages(t *testing.T) {
	tests := []struct {
		yaml, json string
		want       bool
	}{
		{"a: 1\nb: [x, true]\n", `{"b":["x",true],"a":1.0}`, true},
		{"a: {}\n", `{"a":{}}`, true},
		{"a:\n", `{"a":null}`, true},
		{"a: '1'\n", `{"a":1}`, false},
		{"a: 1\n", `{"a":2}`, false},
		{"a: x\n", `{"a":"y"}`, false},
		{"a: x\nb: y\n", `{"a":"x"}`, false},
		{"a: x\n", `{"b":"x"}`, false},
		{"a: [1, 2]\n", `{"a":[1]}`, false},
		{"a: [1, 2]\n", `{"a":[2,1]}`, false},
		{"a: {}\n", `{"a":[]}`, false},
		{"a: true\n", `{"a":"true"}`, false},
	}
	for _, test := range tests {
		y, err := ParseYAML([]byte(test.yaml))
		if err != nil {
			t.Fatal(err)
		}
		j, err := ParseJSONC([]byte(test.json))
		if err != nil {
			t.Fatal(err)
		}
		if y.Equal(j) != test.want || j.Equal(y) != test.want {
			t.Errorf("%q equals %q: %v, want %v", test.yaml, test.json, y.Equal(j), test.want)
		}
	}
	var none *Node
	if !none.Equal(nil) || none.Equal(&Node{}) || (&Node{}).Equal(nil) {
		t.Error("an absent node equals only another one")
	}
}
