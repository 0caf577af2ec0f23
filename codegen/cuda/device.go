package cuda

import (
	"embed"
	"regexp"
	"sync"
)

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

// definedIn are the files of the primitives, by the names of their functions.
var definedIn = sync.OnceValue(func() map[string]string {
	files, err := deviceFiles.ReadDir("device")
	if err != nil {
		panic(err) // the folder is embedded
	}
	function := regexp.MustCompile(`(?m)^DEVICE(?:_CALL)? [\w ]+?\*?(\w+)\(`)
	in := make(map[string]string)
	for _, file := range files {
		for _, found := range function.FindAllStringSubmatch(deviceFile(file.Name()), -1) {
			in[found[1]] = file.Name()
		}
	}
	return in
})
