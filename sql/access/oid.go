package access

// OID is the number of a role.
type OID uint32

// Roles that there always are. Public is no role but everyone, and Bootstrap the
// superuser that owns what nobody else does.
const (
	Public          OID = 0
	Bootstrap       OID = 10
	Monitor         OID = 3373
	ReadAllSettings OID = 3374
	ReadAllStats    OID = 3375
	StatScanTables  OID = 3377
	SignalBackend   OID = 4200
	Checkpoint      OID = 4544
	ReadFiles       OID = 4569
	WriteFiles      OID = 4570
	ExecutePrograms OID = 4571
	DatabaseOwner   OID = 6171
	ReadAllData     OID = 6181
	WriteAllData    OID = 6182

	firstOID OID = 16384 // of roles that users make
)

// BootstrapName is the name of the bootstrap superuser until it is renamed.
const BootstrapName = "cubeloom"
