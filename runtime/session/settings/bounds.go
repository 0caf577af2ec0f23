package settings

// Bounded are the settings that can have a bound: those of which more costs the server
// more. The number of a value is compared; 0 is more than any other where it stands
// for no limit.
var Bounded = map[string]struct {
	Number    func(*Values) int64
	Unlimited bool
}{
	"memory_limit":                        {func(s *Values) int64 { return s.MemoryLimit }, true},
	"threads":                             {func(s *Values) int64 { return int64(s.Threads) }, false},
	"statement_timeout":                   {func(s *Values) int64 { return int64(s.StatementTimeout) }, true},
	"lock_timeout":                        {clientDuration("lock_timeout"), true},
	"idle_session_timeout":                {clientDuration("idle_session_timeout"), true},
	"idle_in_transaction_session_timeout": {clientDuration("idle_in_transaction_session_timeout"), true},
}

// clientDuration reads a setting of a duration in nanoseconds.
func clientDuration(name string) func(*Values) int64 {
	return func(s *Values) int64 { return int64(s.ClientDuration(name)) }
}

// ServerBounds are the settings whose values at the start bound an ordinary role.
var ServerBounds = []string{"memory_limit", "threads"}

// SuperuserSettings are the settings that only superusers change.
var SuperuserSettings = map[string]bool{"lc_messages": true}
