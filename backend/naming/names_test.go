package naming

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var legal = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// specified is how the specification reads a wire name.
var specified = regexp.MustCompile(`^mcp_([^_]+(?:_[^_]+)*)__(.+)$`)

func TestFQN(t *testing.T) {
	for _, ref := range []Ref{{"slack", "post_message"}, {"a_b", "c.d/e"}, {"x", ".hidden"}, {"x", "日本"}} {
		fqn := FQN(ref.Server, ref.Tool)
		if id, tool, ok := ParseFQN(fqn); !ok || id != ref.Server || tool != ref.Tool {
			t.Errorf("ParseFQN(%q) = %q, %q, %t", fqn, id, tool, ok)
		}
	}
	for _, fqn := range []string{"", "mcp_", "mcp_a", "mcp_a.", "mcp_.t", "mcp_a__b.t", "filesystem.read", "mcp_A.t"} {
		if id, tool, ok := ParseFQN(fqn); ok {
			t.Errorf("ParseFQN(%q) = %q, %q, want a refusal", fqn, id, tool)
		}
	}
}

func TestWireKeepsWhatFits(t *testing.T) {
	tests := []struct{ id, tool, want string }{
		{"slack", "post_message", "mcp_slack__post_message"},
		{"a_b", "c__d", "mcp_a_b__c__d"},
		{"a", "_b", "mcp_a___b"},
		{"a", "b-C_9", "mcp_a__b-C_9"},
		{strings.Repeat("x", 32), strings.Repeat("y", 26), "mcp_" + strings.Repeat("x", 32) + "__" + strings.Repeat("y", 26)},
	}
	for _, test := range tests {
		if got := Wire(test.id, test.tool); got != test.want {
			t.Errorf("Wire(%q, %q) = %q, want %q", test.id, test.tool, got, test.want)
		}
		if !strings.HasPrefix(test.want, WirePrefix(test.id)) {
			t.Errorf("WirePrefix(%q) = %q, which is not what %q begins with", test.id, WirePrefix(test.id), test.want)
		}
		if id, tool, ok := ParseWire(test.want); !ok || id != test.id || tool != test.tool {
			t.Errorf("ParseWire(%q) = %q, %q, %t", test.want, id, tool, ok)
		}
		if m := specified.FindStringSubmatch(test.want); len(m) != 3 || m[1] != test.id || m[2] != test.tool {
			t.Errorf("the specification reads %q as %q", test.want, m)
		}
	}
}

func TestWireChangesWhatDoesNot(t *testing.T) {
	tests := []struct{ id, tool, want string }{
		{"a", "b.c", "mcp_a__b_c_a172036544"},
		{"a", "b c", "mcp_a__b_c_64959d5223"},
		{"a", "", "mcp_a___4162fddd39"},
		{"a", strings.Repeat("t", 60), "mcp_a__" + strings.Repeat("t", 46) + "_9083093426"},
		{"a", "b_0123456789", "mcp_a__b_0123456789_d5fc1c3200"},
	}
	for _, test := range tests {
		got := Wire(test.id, test.tool)
		if got != test.want {
			t.Errorf("Wire(%q, %q) = %q, want %q for ever", test.id, test.tool, got, test.want)
		}
		if id, tool, ok := ParseWire(got); ok {
			t.Errorf("ParseWire(%q) = %q, %q, want a refusal: the name was changed", got, id, tool)
		}
	}
}

func TestNamesKeepToolsApart(t *testing.T) {
	tools := []Ref{
		{"a", "x-y"},
		{"a", "x_y"},
		{"a", "x.y"},
		{"a", "x y"},
		{"a", "X_Y"},
		{"a_x", "y"},
		{"a", "x__y"},
		{"b", "x-y"},
		{"b", strings.Repeat("long", 20) + "1"},
		{"b", strings.Repeat("long", 20) + "2"},
	}
	names := NewNames(tools)
	seen := make(map[string]Ref)
	for _, ref := range tools {
		wire, ok := names.Wire(ref.Server, ref.Tool)
		if !ok || !legal.MatchString(wire) {
			t.Errorf("Wire(%v) = %q, %t", ref, wire, ok)
		}
		if other, taken := seen[wire]; taken {
			t.Errorf("%v and %v share %q", ref, other, wire)
		}
		seen[wire] = ref
		if id, tool, ok := names.Find(wire); !ok || id != ref.Server || tool != ref.Tool {
			t.Errorf("Find(%q) = %q, %q, %t, want %v", wire, id, tool, ok, ref)
		}
	}
	if _, _, ok := names.Find("mcp_a__unknown"); ok {
		t.Error("Find gives a tool that is not in the set")
	}
	if _, ok := names.Wire("a", "unknown"); ok {
		t.Error("Wire names a tool that is not in the set")
	}
}

// forged are two names, found by trying, whose short changed names are equal.
var forged = [2]Ref{{"a", "乱任一一"}, {"a", "乨丂七一"}}

func TestNamesSurviveForgedHashes(t *testing.T) {
	if Wire("a", forged[0].Tool) != Wire("a", forged[1].Tool) || forged[0] == forged[1] {
		t.Fatal("the forged names do not collide")
	}
	names := NewNames(forged[:])
	first, _ := names.Wire("a", forged[0].Tool)
	second, _ := names.Wire("a", forged[1].Tool)
	if first == second || !legal.MatchString(first) || !legal.MatchString(second) {
		t.Fatalf("forged names became %q and %q", first, second)
	}
	if _, tool, _ := names.Find(first); tool != forged[0].Tool {
		t.Errorf("Find(%q) = %q, want %q", first, tool, forged[0].Tool)
	}
}

func TestNamesTellOfRepeats(t *testing.T) {
	names := NewNames([]Ref{{"b", "t"}, {"a", "t"}, {"b", "t"}, {"b", "t"}, {"a", "u"}})
	if got, want := names.Repeated(), []Ref{{"b", "t"}}; !slices.Equal(got, want) {
		t.Errorf("Repeated() = %v, want %v", got, want)
	}
	if wire, ok := names.Wire("b", "t"); !ok || wire != "mcp_b__t" {
		t.Errorf("the repeated tool is called %q, %t", wire, ok)
	}
}

func FuzzNames(f *testing.F) {
	f.Add("slack", "post_message", "github", "create.issue")
	f.Add("a", "b c", "a", "b.c")
	f.Add("a", "b", "a__b", "")
	f.Add("a", "b_0123456789", "A", strings.Repeat("é", 70))
	f.Fuzz(func(t *testing.T, id1, tool1, id2, tool2 string) {
		refs := []Ref{{id1, tool1}, {id2, tool2}}
		names := NewNames(refs)
		for _, ref := range refs {
			checkRoundTrip(t, names, ref)
		}
		wire1, _ := names.Wire(id1, tool1)
		wire2, _ := names.Wire(id2, tool2)
		if (wire1 == wire2) != (refs[0] == refs[1]) {
			t.Fatalf("%q and %q are named %q and %q", refs[0], refs[1], wire1, wire2)
		}
		slices.Reverse(refs)
		if got, want := fmt.Sprint(NewNames(refs)), fmt.Sprint(names); got != want {
			t.Fatalf("order matters: %s, then %s", want, got)
		}
	})
}

func checkRoundTrip(t *testing.T, names *Names, ref Ref) {
	t.Helper()
	wire, ok := names.Wire(ref.Server, ref.Tool)
	if !ok || !legal.MatchString(wire) {
		t.Fatalf("Wire(%q) = %q, %t", ref, wire, ok)
	}
	if id, tool, ok := names.Find(wire); !ok || (Ref{id, tool}) != ref {
		t.Fatalf("Find(%q) = %q, %q, %t, want %q", wire, id, tool, ok, ref)
	}
	if id, tool, ok := ParseWire(wire); ok && (Ref{id, tool}) != ref {
		t.Fatalf("ParseWire(%q) = %q, %q, want %q or a refusal", wire, id, tool, ref)
	}
	if !ValidID(ref.Server) || ref.Tool == "" {
		return
	}
	if id, tool, ok := ParseFQN(FQN(ref.Server, ref.Tool)); !ok || (Ref{id, tool}) != ref {
		t.Fatalf("ParseFQN(FQN(%q)) = %q, %q, %t", ref, id, tool, ok)
	}
}

func TestNativeModulesHaveTheirOwnNames(t *testing.T) {
	id := Native("filesystem")
	if ValidID(id) {
		t.Error("a server could have the id of a module")
	}
	if fqn, wire := FQN(id, "read"), Wire(id, "read"); fqn != "filesystem.read" || wire != "filesystem__read" {
		t.Errorf("%s, %s", fqn, wire)
	}
	if _, _, ok := ParseFQN("filesystem.read"); ok {
		t.Error("a module is read as a server")
	}
	if module, ok := ParseNative(id); !ok || module != "filesystem" {
		t.Errorf("read back as %q", module)
	}
	// A server of the same name is another one.
	names := NewNames([]Ref{{id, "read"}, {"filesystem", "read"}})
	if native, _ := names.Wire(id, "read"); native != "filesystem__read" {
		t.Errorf("the module's is %s", native)
	}
	if server, _ := names.Wire("filesystem", "read"); server != "mcp_filesystem__read" {
		t.Errorf("the server's is %s", server)
	}
	if found, tool, ok := names.Find("filesystem__read"); !ok || found != id || tool != "read" {
		t.Errorf("found %s %s", found, tool)
	}
}
