package sql

// AlterTable is ALTER TABLE, ALTER VIEW or ALTER MATERIALIZED VIEW with its actions.
type AlterTable struct {
	Kind     string // "table", "view" or "materialized view"
	IfExists bool
	Name     Name
	Only     bool // without its children
	Actions  []AlterAction
	Pos      Pos
}

// AlterAction is *AddColumn, *DropColumn, *RenameColumn, *RenameConstraint, *RenameTable, *SetSchema, *AddKey, *AddCheck,
// *AddForeignKey, *AlterConstraint, *ValidateConstraint, *DropConstraint, *AlterColumn, *StorageAction,
// *AttachPartition or *DetachPartition.
type AlterAction interface{ alterAction() }

// AddColumn is ADD [COLUMN] [IF NOT EXISTS] column, with its constraints.
type AddColumn struct {
	IfNotExists bool
	Column      ColumnDef
	Keys        []AddKey
	Checks      []CheckDef
	ForeignKeys []ForeignKeyDef
}

// AddCheck is ADD CHECK.
type AddCheck struct{ Check CheckDef }

// AlterConstraint is ALTER CONSTRAINT name with its timing.
type AlterConstraint struct {
	Name   Ident
	Timing Timing
}

// ValidateConstraint is VALIDATE CONSTRAINT name.
type ValidateConstraint struct{ Name Ident }

// DropColumn is DROP [COLUMN] [IF EXISTS] column [CASCADE].
type DropColumn struct {
	IfExists bool
	Name     Ident
	Cascade  bool
}

// RenameColumn is RENAME [COLUMN] name TO name.
type RenameColumn struct{ From, To Ident }

// RenameConstraint is RENAME CONSTRAINT name TO name.
type RenameConstraint struct{ From, To Ident }

// AddKey is ADD PRIMARY KEY or ADD UNIQUE with its columns.
type AddKey struct {
	Key     UniqueKey
	Primary bool
}

// DropConstraint is DROP CONSTRAINT name.
type DropConstraint struct {
	Name     Ident
	IfExists bool
	Cascade  bool
}

// RenameTable is RENAME TO name.
type RenameTable struct{ To Ident }

// AlterColumn is ALTER [COLUMN] name and what is changed of it: exactly one of
// the other fields is set.
type AlterColumn struct {
	Name        Ident
	Type        *TypeName
	Using       Expr // of Type, or nil
	Default     *DefaultExpr
	DropDefault bool
	SetNotNull  bool
	DropNotNull bool
	// Identity is that of ADD GENERATED; IfExists is of DropIdentity and DropExpression.
	Identity                               *Identity
	DropIdentity, DropExpression, IfExists bool
	SetIdentity                            *SetIdentity
}

// SetIdentity is SET GENERATED of an identity column, with what is changed of its sequence.
type SetIdentity struct {
	Always  *bool // nil: as it was
	Options SequenceOptions
}

// StorageAction is what ALTER TABLE says of it, for the table or a column. Storage is that of SET.
type StorageAction struct {
	Column  Ident // empty: the table
	Storage Storage
	Method  Option // that of SET STORAGE and SET COMPRESSION; its name is empty for others
	Text    string
}

func (*StorageAction) alterAction()      {}
func (*RenameConstraint) alterAction()   {}
func (*AddColumn) alterAction()          {}
func (*DropColumn) alterAction()         {}
func (*RenameColumn) alterAction()       {}
func (*RenameTable) alterAction()        {}
func (*AddCheck) alterAction()           {}
func (*AddKey) alterAction()             {}
func (*ValidateConstraint) alterAction() {}
func (*AlterConstraint) alterAction()    {}
func (*DropConstraint) alterAction()     {}
func (*AlterColumn) alterAction()        {}
func (*AlterTable) statement()           {}
