package mcptest

import (
	"encoding/json"
	"fmt"
)

// books are the tools of a Library: one that searches and one that lends, which fails.
func books() []object {
	words := object{"type": "object", "properties": object{"query": object{"type": "string"}, "shelf": object{"type": "string"}}, "required": []any{"query"}}
	return []object{
		{"name": "search_books", "description": "Search for books.", "inputSchema": words, "annotations": object{"readOnlyHint": true}},
		{"name": "lend_book", "description": "Lend a book to a reader.", "inputSchema": object{"type": "object"}},
	}
}

// lend answers the tools of a Library. What is found has an id, an address, and a token that is nobody else's business; it is
// another one each time that the tool runs, by the ledger.
func (s *session) lend(name, query string) (any, *rpcError) {
	if name == "lend_book" {
		return object{"content": []any{object{"type": "text", "text": "the desk is closed"}}, "isError": true}, nil
	}
	ran, err := ReadLedger(s.o.Ledger)
	if err != nil {
		return nil, &rpcError{Code: -32603, Message: err.Error()}
	}
	found := fmt.Sprintf(`{"books":[{"book_id":"b-%d","title":"About %s","url":"https://ada:pass@books.example/b-%d?token=s3cret&page=2",`+
		`"access_token":"ghp_0123456789abcdefghij"}]}`, ran[query], query, ran[query])
	return object{"content": []any{object{"type": "text", "text": found}}, "structuredContent": json.RawMessage(found)}, nil
}
