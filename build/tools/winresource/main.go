// Command winresource writes what Windows shows of a program (icon, version) and asks of it (manifest) as an object file
// that go build links in: rsrc_windows_amd64.syso and rsrc_windows_arm64.syso.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tc-hib/winres"
	"github.com/tc-hib/winres/version"
)

const americanEnglish = 0x0409

func main() {
	icon := flag.String("icon", "../icons/apollia.ico", "the program's icon")
	number := flag.String("version", "0.0.0", "the program's version")
	folder := flag.String("folder", ".", "where the object files go: the package's folder")
	flag.Parse()
	if err := run(*icon, *number, *folder); err != nil {
		fmt.Fprintln(os.Stderr, "winresource:", err)
		os.Exit(1)
	}
}

func run(icon, number, folder string) error {
	resources, err := describe(icon, number)
	if err != nil {
		return err
	}
	return errors.Join(
		write(resources, winres.ArchAMD64, filepath.Join(folder, "rsrc_windows_amd64.syso")),
		write(resources, winres.ArchARM64, filepath.Join(folder, "rsrc_windows_arm64.syso")),
	)
}

func describe(icon, number string) (*winres.ResourceSet, error) {
	file, err := os.Open(icon)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	loaded, err := winres.LoadICO(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", icon, err)
	}
	resources := &winres.ResourceSet{}
	// Wails takes the window's icon from the resource with id 3.
	if err := resources.SetIcon(winres.ID(3), loaded); err != nil {
		return nil, fmt.Errorf("add the icon: %w", err)
	}
	resources.SetManifest(winres.AppManifest{
		Description:         "Apollia Connexions",
		DPIAwareness:        winres.DPIPerMonitorV2,
		LongPathAware:       true,
		UseCommonControlsV6: true,
	})
	info := version.Info{}
	info.SetFileVersion(number)
	info.SetProductVersion(number)
	for key, value := range map[string]string{
		version.ProductName: "Apollia Connexions", version.FileDescription: "Apollia Connexions",
		version.OriginalFilename: "apollia-desktop.exe", version.LegalCopyright: "Apache License 2.0",
	} {
		if err := info.Set(americanEnglish, key, value); err != nil {
			return nil, fmt.Errorf("describe the version: %w", err)
		}
	}
	resources.SetVersionInfo(info)
	return resources, nil
}

func write(resources *winres.ResourceSet, arch winres.Arch, name string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(resources.WriteObject(file, arch), file.Close())
}
