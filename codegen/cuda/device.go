package cuda

import "embed"

// deviceFiles are the block-level primitives that kernels are made of.
//
//go:embed device/*.cuh
var deviceFiles embed.FS

// deviceFile is the text of one of them.
func deviceFile(name string) string {
	text, err := deviceFiles.ReadFile("device/" + name)
	if err != nil {
		panic(err) // the name is a constant and the file is embedded
	}
	return string(text)
}
