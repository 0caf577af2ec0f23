package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"unsafe"

	"github.com/ebitengine/purego"
)

// openLibrary opens a shared library under dir, which npm installs there first if it is
// missing, and sets the functions in table, a pointer to a struct of function fields whose
// tags name the symbols.
func openLibrary(dir, file string, table any) error {
	path := filepath.Join(dir, file)
	if _, err := os.Stat(path); err != nil {
		npm := exec.Command("npm", "install", "--no-package-lock")
		npm.Dir, npm.Stdout, npm.Stderr = filepath.Dir(dir), os.Stderr, os.Stderr
		if failed := npm.Run(); failed != nil {
			return fmt.Errorf("%w; npm install: %w", err, failed)
		}
	}
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return err
	}
	functions := reflect.ValueOf(table).Elem()
	for i := range functions.NumField() {
		symbol := functions.Type().Field(i).Tag.Get("c")
		address, err := purego.Dlsym(handle, symbol)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		purego.RegisterFunc(functions.Field(i).Addr().Interface(), address)
	}
	return nil
}

// bytesAt views memory of a library. The caller knows how long it is valid.
func bytesAt(p unsafe.Pointer, n int) []byte { return unsafe.Slice((*byte)(p), n) }
