package settings

import "strings"

// Names are the names in the value of a setting that lists some, such as search_path: in
// quotes as they stand there, and otherwise in small letters.
func Names(list string) []string {
	var names []string
	for list != "" {
		var name strings.Builder
		quoted, end := false, len(list)
		for i := 0; i < end; i++ {
			switch c := list[i]; {
			case c == '"' && quoted && i+1 < len(list) && list[i+1] == '"':
				name.WriteByte(c)
				i++
			case c == '"':
				quoted = !quoted
			case c == ',' && !quoted:
				end = i
			case quoted:
				name.WriteByte(c)
			case c != ' ':
				name.WriteString(strings.ToLower(string(c)))
			}
		}
		if name.Len() > 0 {
			names = append(names, name.String())
		}
		list = strings.TrimPrefix(list[end:], ",")
	}
	return names
}
