package cli

import (
	"runtime"

	"github.com/spf13/cobra"
)

type versionDocument struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

func newVersionCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  apollia version",
		Args:    asUsed,
		RunE: func(*cobra.Command, []string) error {
			v := versionDocument{Version: in.Version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
			return in.show(v, func() { in.line("apollia %s", v.Version) })
		},
	}
}
