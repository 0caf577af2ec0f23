package settings

import "github.com/cubeloom/cubeloom/sql"

// The prefixes of the settings that hold the modes of transactions: of the one
// that runs, and of those to come.
const (
	CurrentModes = "transaction_"
	DefaultModes = "default_transaction_"
)

// TransactionModes are the names of the modes, behind their prefix.
var TransactionModes = []string{"isolation", "read_only", "deferrable"}

// SetModes notes the modes of transactions.
func (s *Values) SetModes(modes []sql.Option, prefix string) {
	for _, m := range modes {
		name, text := ModeSetting(m)
		s.SetClient(prefix+name, text)
	}
}

// ModeSetting is the setting that a mode changes, without its prefix, and its
// value.
func ModeSetting(m sql.Option) (name, text string) {
	switch m.Name {
	case "isolation level":
		return "isolation", m.Value
	case "read only", "read write":
		return "read_only", OnOff(m.Name == "read only")
	}
	return "deferrable", OnOff(m.Name == "deferrable")
}

// SetMode sets a mode of the open transaction.
func (s *Values) SetMode(mode, text string) {
	if text != s.Client[CurrentModes+mode] {
		s.SetClient(CurrentModes+mode, text)
	}
}
