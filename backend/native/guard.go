package native

import (
	"slices"
	"strings"

	"modernc.org/sqlite"
)

// guard is asked by SQLite's own compiler about everything that a statement does, those of triggers and views that it
// sets off among them (sqlite3_set_authorizer), so that no way of writing a statement leads around it.
type guard struct {
	// writes allows changes of data and tables.
	writes bool
	// own is set while the tool itself begins and ends the transaction.
	own bool
	// denied is what was refused last, in words.
	denied string
}

func (g *guard) judge(action sqlite.AuthorizerActionCode, first, second, _, _ string) sqlite.AuthorizerReturnCode {
	complaint := g.complain(action, first, second)
	if complaint == "" {
		return sqlite.AuthorizerOK
	}
	g.denied = complaint
	return sqlite.AuthorizerDeny
}

// complain says why an action is refused, or nothing. What it does not know is refused.
func (g *guard) complain(action sqlite.AuthorizerActionCode, first, second string) string {
	switch action {
	case sqlite.AuthSelect, sqlite.AuthRead, sqlite.AuthRecursive:
		return ""
	case sqlite.AuthFunction:
		return unless(!dangerous(second), "the function "+second)
	case sqlite.AuthPragma:
		return unless(g.pragma(strings.ToLower(first), second), "PRAGMA "+first)
	case sqlite.AuthAttach:
		return "ATTACH, and VACUUM, which needs it"
	case sqlite.AuthDetach:
		return "DETACH"
	case sqlite.AuthTransaction, sqlite.AuthSavepoint:
		return unless(g.own, "BEGIN, COMMIT, ROLLBACK and SAVEPOINT, since each call is one transaction")
	default:
		return g.complainOfChange(action, second)
	}
}

func (g *guard) complainOfChange(action sqlite.AuthorizerActionCode, module string) string {
	if !g.writes {
		return "changes of data or tables; use execute for them"
	}
	switch action {
	case sqlite.AuthInsert, sqlite.AuthUpdate, sqlite.AuthDelete,
		sqlite.AuthCreateTable, sqlite.AuthCreateIndex, sqlite.AuthCreateView, sqlite.AuthCreateTrigger,
		sqlite.AuthCreateTempTable, sqlite.AuthCreateTempIndex, sqlite.AuthCreateTempView, sqlite.AuthCreateTempTrigger,
		sqlite.AuthDropTable, sqlite.AuthDropIndex, sqlite.AuthDropView, sqlite.AuthDropTrigger,
		sqlite.AuthDropTempTable, sqlite.AuthDropTempIndex, sqlite.AuthDropTempView, sqlite.AuthDropTempTrigger,
		sqlite.AuthAlterTable, sqlite.AuthReindex, sqlite.AuthAnalyze:
		return ""
	case sqlite.AuthCreateVTable, sqlite.AuthDropVTable:
		return unless(slices.Contains([]string{"fts5", "fts4", "fts3", "rtree"}, strings.ToLower(module)), "a virtual table of the module "+module)
	default:
		return "this kind of statement"
	}
}

func unless(fine bool, complaint string) string {
	if fine {
		return ""
	}
	return complaint
}

// dangerous are functions that reach beyond the database.
func dangerous(function string) bool {
	beyond := []string{"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "sqlite_attach", "sqlite_detach"}
	return slices.Contains(beyond, strings.ToLower(function))
}

// pragma says whether a PRAGMA may run: those that only tell something, and of those that also set something the asking.
// An empty value looks like none, which sets no more than a zero.
func (g *guard) pragma(name, value string) bool {
	switch name {
	case "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
		"foreign_key_check", "integrity_check", "quick_check", "collation_list", "function_list", "compile_options",
		"page_count", "freelist_count", "data_version":
		return true
	case "user_version", "application_id":
		return value == "" || g.writes
	case "encoding", "page_size", "foreign_keys", "query_only", "trusted_schema", "max_page_count", "auto_vacuum":
		return value == ""
	}
	return false
}
