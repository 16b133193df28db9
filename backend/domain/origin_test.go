package domain

import (
	"net/url"
	"testing"
)

func TestSameOrigin(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"http://example.com/mcp", "http://example.com/sse?x=1", true},
		{"http://example.com", "http://example.com:80/", true},
		{"https://example.com:443/a", "https://example.com/b", true},
		{"HTTPS://Example.COM/", "https://example.com/", true},
		{"http://[::1]:80/", "http://[::1]/", true},
		{"http://example.com:/", "http://example.com/", true},
		{"http://user@example.com/", "http://example.com/", true},
		{"http://example.com", "https://example.com", false},
		{"http://example.com:443", "https://example.com", false},
		{"http://example.com:8080", "http://example.com", false},
		{"http://example.com", "http://www.example.com", false},
		{"http://example.com", "http://example.com.evil.test", false},
		{"/path", "http://example.com/path", false},
	}
	for _, test := range tests {
		a, errA := url.Parse(test.a)
		b, errB := url.Parse(test.b)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if SameOrigin(a, b) != test.want || SameOrigin(b, a) != test.want {
			t.Errorf("%s and %s: want %v", test.a, test.b, test.want)
		}
	}
}
