package cuda

import (
	"embed"
	"maps"
	"regexp"
	"slices"
	"sync"
)

// deviceFiles are the block-level primitives that kernels are made of.
//
//go:embed device/*.cuh
var deviceFiles embed.FS

// deviceTexts are their texts, by name.
var deviceTexts = sync.OnceValue(func() map[string]string {
	files, err := deviceFiles.ReadDir("device")
	if err != nil {
		panic(err) // the folder is embedded
	}
	texts := make(map[string]string)
	for _, file := range files {
		text, err := deviceFiles.ReadFile("device/" + file.Name())
		if err != nil {
			panic(err) // the folder has just been read
		}
		texts[file.Name()] = string(text)
	}
	return texts
})

// deviceFile is the text of one of them.
func deviceFile(name string) string {
	text, found := deviceTexts()[name]
	if !found {
		panic("there is no device file " + name) // the name is a constant
	}
	return text
}

// definedIn are the files of the primitives, by the names of their functions.
var definedIn = sync.OnceValue(func() map[string]string {
	function := regexp.MustCompile(`(?m)^DEVICE(?:_CALL)? [\w ]+?\*?(\w+)\(`)
	in := make(map[string]string)
	texts := deviceTexts()
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		for _, found := range function.FindAllStringSubmatch(texts[file], -1) {
			in[found[1]] = file
		}
	}
	return in
})
