// Command openapi prints the OpenAPI document of the local API, from which the UI's types are made.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"apollia.fr/connexions/backend/api"
)

func main() {
	// The description depends on no part: nothing is called, only registered.
	document, err := api.New(api.Parts{Version: "local", Now: time.Now}).OpenAPI()
	if err == nil {
		var indented bytes.Buffer
		if err = json.Indent(&indented, document, "", "  "); err == nil {
			indented.WriteByte('\n')
			_, err = os.Stdout.Write(indented.Bytes())
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
