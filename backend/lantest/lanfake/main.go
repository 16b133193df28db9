// Command lanfake is another computer on the network of a browser test, told what to do by lines of JSON; see lantest.Order.
package main

import (
	"fmt"
	"os"

	"apollia.fr/connexions/backend/lantest"
)

func main() {
	if err := lantest.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
