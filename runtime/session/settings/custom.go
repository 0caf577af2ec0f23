package settings

import (
	"regexp"
	"strings"

	"github.com/cubeloom/cubeloom/sql/value"
)

// customBytes is what the settings that a session invents may take, with what each takes beside its texts.
const (
	customBytes   = 256 << 10
	customRowSize = 256
)

// customName is what names look like that clients may invent.
var customName = regexp.MustCompile(`^[A-Za-z_\x80-\xff][\w$\x80-\xff]*(\.[A-Za-z_\x80-\xff][\w$\x80-\xff]*)+$`)

// IsCustom reports whether a name is one that clients may invent, as no other has a point.
func IsCustom(name string) bool { return strings.Contains(name, ".") }

// Custom is the setting of a name that clients may invent, which is empty until it is set. It fails with 42602
// where the name is none.
func Custom(name string) (*Setting, error) {
	if !customName.MatchString(name) {
		e := value.Errorf(value.CodeInvalidName, "invalid configuration parameter name %q", name)
		e.Detail = "Custom parameter names must be two or more simple identifiers separated by dots."
		return nil, e
	}
	key := strings.ToLower(name)
	return &Setting{Name: name, Show: func(v *Values) string { return v.Client[key] }, Set: func(v *Values, text string) error {
		v.SetClient(key, text)
		return FewCustom(v.Client)
	}}, nil
}

// FewCustom fails with 54000 where settings that clients have invented take too much.
func FewCustom(all map[string]string) error {
	used := 0
	for name, text := range all {
		if IsCustom(name) {
			used += len(name) + len(text) + customRowSize
		}
	}
	if used > customBytes {
		return value.Errorf(value.CodeProgramLimit, "customized parameters take more than %d bytes", customBytes)
	}
	return nil
}
