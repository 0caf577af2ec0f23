// Package kernel is the kernel IR: what one woven group does to every row, in
// a form that the CPU backend executes a vector at a time and that the CUDA
// backend renders as source.
//
// A Func is a source, a straight-line body over the rows that the source
// gives, and a sink that the surviving rows end in. Values are in SSA form:
// each is defined once, before its uses. The IR is typed by physical types:
// decimals are integers with the scale adjustments spelled out, dates are days,
// text of few values is dictionary codes. How wide a column is stored is not
// part of the IR; a backend decodes on load, or compares in the stored domain.
//
// The CPU backend defines what a Func means. NULL logic, overflow, decimal
// scale and the order of NULLs are settled by the instructions here.
package kernel

import "github.com/cubeloom/cubeloom/sql/value"

// Type is a physical type of a value in a kernel.
type Type uint8

// The physical types.
const (
	Invalid  Type = iota
	Bool          // SQL boolean
	I32           // smallint, integer, date
	I64           // bigint, timestamp, decimals proven to fit
	I128          // decimals
	F64           // double precision
	Num           // numeric with a scale per value
	Interval      // interval
	Str           // text
	Code          // text as a code into a dictionary (unsigned, below 2^31)
)

// ValueID is the index of a value in Func.Values.
type ValueID int32

// NoValue stands where there is no value.
const NoValue ValueID = -1

// Value describes one SSA value.
type Value struct {
	Type     Type
	Nullable bool
	// Range bounds the integer types and codes where Known; it holds for every row that
	// is not NULL, and backends may rely on it. That of a code holds for its whole dictionary.
	Range Range
	// Dict says, for Code, which dictionary the codes index: values with equal
	// Dict share one. It is the index of the value that the dictionary came
	// with: a source column, a build payload column, or a Map.
	Dict DictID
	Name string // for people: the column or expression it holds
}

// Range is an inclusive interval of int64.
type Range struct {
	Known  bool
	Lo, Hi int64
}

// DictID identifies a dictionary within a Func.
type DictID int32

// Func is one kernel.
type Func struct {
	Name   string
	Inputs []Input // tables, intermediate relations and hash tables, bound at launch
	Params []Param // constants, bound at launch, so that a changed constant compiles nothing
	Values []Value
	Dicts  int // number of dictionaries; DictIDs are below it
	Source Source
	Body   Block
	Sink   Sink
}

// InputKind says what an Input is.
type InputKind uint8

// The kinds of inputs.
const (
	RelationInput  InputKind = iota // a base table or a materialized intermediate: blocks of columns
	HashTableInput                  // what a Build sink made
	GroupsInput                     // what an Aggregate sink made that leaves its groups in their cells
)

// Input is something that a kernel reads, bound at launch.
type Input struct {
	Kind InputKind
	Name string
}

// Param is a constant of the launch: it defines Dst, the same for all rows.
// Val is the value for this statement, NULL or in the field for the type of
// Dst: I32 and I64 in I (decimals unscaled), I128 in Num.Coef with Kind
// value.Decimal, Num in Num, Str in S. The Range of Dst is wider than the one
// value, so that it holds for other constants of that size.
type Param struct {
	Dst ValueID
	Val value.Value
}

// Source gives the rows. The kinds are *Scan and *Unmatched.
type Source interface{ source(*fields) }

// Scan reads the rows of relation Input, or the groups of an Aggregate, whose columns are
// those that it would have as a relation. Prune lists conditions on stored
// columns that every row passing the body satisfies; a backend may use them to
// skip blocks and may not rely on them otherwise.
type Scan struct {
	Input int
	Cols  []SourceCol
	Prune []Prune
}

// SourceCol loads a column of a relation into a value. A Code column brings a
// dictionary of its own.
type SourceCol struct {
	Ordinal int
	Dst     ValueID
}

// Prune says that column Ordinal of the scanned relation, where it matters,
// lies between the integers Lo and Hi (values of params, or NoValue for none).
type Prune struct {
	Ordinal int
	Lo, Hi  ValueID
}

// Unmatched gives the rows of hash table Input that no probe with Mark has
// matched: the rest of a right or full join, or an anti join whose left input
// is in the table. With Matched it gives those that one has matched: a semi join
// of that kind. Cols index the payload.
type Unmatched struct {
	Input   int
	Matched bool
	Cols    []SourceCol
}

// Block is a list of instructions executed in order on the rows that are
// active.
type Block []Instr

// Instr is an instruction. The kinds are *Compute, *Filter, *If, *Map, *Probe
// and *Repeat.
type Instr interface{ instr(*fields) }

// Compute defines Dst from Args by Op. Aux holds what the operation needs
// beside values: a scale, a field. A Checked integer operation raises 22003
// when the result does not fit its type; an unchecked one is proven to fit.
type Compute struct {
	Op      Op
	Dst     ValueID
	Args    []ValueID
	Aux     Aux
	Checked bool
	Pos     int // byte offset in the SQL text, for errors, or value.NoPos
}

// Aux is the static part of an operation.
type Aux struct {
	Scale  int    // rescale: powers of ten; round: target scale; to and from decimals: the scale; narrow: s for numeric(p,s)
	Bits   uint8  // narrow: 16 for smallint; draw: see there; bit: the word
	Digits uint8  // narrow: p for numeric(p,s), the argument being unscaled
	Field  string // extract, date_trunc
	Length int32  // varchar(n)
}

// Filter keeps the rows for which Cond is true; only those are active after it.
type Filter struct {
	Cond ValueID
	Pack bool // a device packs the rows that are left behind it
}

// If evaluates Then on the active rows for which Cond is true and Else on the
// other active rows, and defines Dst from ThenVal or ElseVal. Values defined
// in an arm are visible in that arm only. It is what keeps an error in an arm
// that is not taken from being raised.
type If struct {
	Cond             ValueID
	Then, Else       Block
	ThenVal, ElseVal ValueID
	Dst              ValueID
}

// Map computes a function of a dictionary's text for each code: Body defines
// Result from Arg (a nullable Str) and params, and Dst is that result for the
// text that Src stands for. A backend evaluates it once for each entry (and
// once for NULL) and looks the result up for each row; errors are raised only
// for entries that a row has. A Result of type Str makes Dst a Code in a new
// dictionary of distinct texts, a Result of another type is Dst's type.
type Map struct {
	Src    ValueID
	Arg    ValueID
	Body   Block
	Result ValueID
	Dst    ValueID
}

// ProbeKind is what a probe does with its matches.
type ProbeKind string

// The kinds of probes. Inner and Left go on with one row for each match, Left
// also with a row without one, its payload NULL. Semi and Anti filter. With
// Mark a matched build row is remembered for an Unmatched source.
const (
	ProbeInner ProbeKind = "inner"
	ProbeLeft  ProbeKind = "left"
	ProbeSemi  ProbeKind = "semi"
	ProbeAnti  ProbeKind = "anti"
)

// Probe looks the active rows up in hash table Input. Payload loads columns of
// the matching build row. Residual, where there is one, is evaluated for each
// pair with equal keys and decides, by Cond, whether it is a match; it sees the
// payload. No keys means that every build row has equal keys.
//
// Where Sorted is set, Input is a relation in the order of its one key instead, an
// integer: Payload are its columns, and the probe is a merge (section 3.1 of Kernel
// Weaver): blocks of rows find the part of the relation that has their keys, and
// then each row its own. The rows that come need be in no order for that to be
// right, but it is quick only if they are in the order of the key.
type Probe struct {
	Kind     ProbeKind
	Input    int
	Sorted   *Sorted
	Keys     []Key
	Payload  []SourceCol
	Residual Block
	Cond     ValueID // NoValue: no residual
	Mark     bool
	Matches  float64 // estimated for each row, where that is more than one; else 0
	InOrder  bool    // the rows are likely to come in the order of the first key
	Expand   string  // form of a device that deals the matches out; "" leaves it to the device
	Open     bool    // the run may take another form when it knows the matches
	Pages    Pages   // of form children
	Rows     ProbeRows
	Filter   KeyFilter // of a device; it makes no difference to what is found
	Pack     bool      // a device packs the rows that are left behind it
}

// ProbeRows are estimated numbers of rows: those that come to a probe, those that it gives, and
// those of its table. 0: it is not known.
type ProbeRows struct{ In, Out, Table float64 }

// KeyFilter is a set of bits in the shared memory of a device's blocks, in which the keys of
// rows are tested before they are looked for in the table.
type KeyFilter struct {
	Form  FilterForm
	Words int64 // of 32 bits
}

// FilterForm is what the bits stand for.
type FilterForm string

// The forms.
const (
	NoFilter    FilterForm = ""
	ExactFilter FilterForm = "exact" // a bit for each value of the keys' ranges
	BloomFilter FilterForm = "bloom" // two bits of a word for each key of the table
)

// Pages says that a device launches a kernel for the matches of every page of so many rows
// of the source, and not only for those of rows that have too many (Meinke 2015, chapter 4).
type Pages struct {
	Rows    int   // of a page, a multiple of 4; 0: there are no pages
	Blocks  int64 // of a launched kernel at most; 0: as many as there are matches for
	Segment int64 // pages of a segment: those of the next begin when its kernels have ended; 0: there is one
}

// Sorted says of a relation that its rows are in ascending order of column Ordinal,
// which has no NULLs, and with Unique that no two of its values are equal.
type Sorted struct {
	Ordinal int
	Unique  bool
}

// Key is a join or group key. NullSafe makes NULL equal to NULL; else a NULL
// key matches nothing. Group keys are always NullSafe.
type Key struct {
	Val      ValueID
	NullSafe bool
}

// Repeat goes on with each active row Count times (an I64; below 1 and NULL are
// never). Index, unless it is NoValue, is an I64 that counts the copies of a row
// from 1 on.
type Repeat struct {
	Count ValueID
	Index ValueID
}

// Sink takes the rows that remain. The kinds are *Materialize, *Build,
// *Aggregate, *Cubing, *Several, *Sort and *Window.
type Sink interface{ sink(*fields) }

// Materialize writes Cols to an intermediate relation. At most Limit rows
// after the first Offset are written (Limit < 0: all), in the source's order
// where Ordered is set.
type Materialize struct {
	Cols          []ValueID
	Limit, Offset int64
	Ordered       bool
}

// Build makes a hash table of Payload by Keys. Where Dense is set all keys lie
// in the known ranges of their values, and the table is an array over the
// product of the ranges.
type Build struct {
	Keys    []Key
	Payload []ValueID
	Dense   bool
	Members bool    // nothing is asked but whether a row has a key: one row of each is enough
	Repeats bool    // several rows are likely to have a key
	Rows    float64 // estimated number of rows, 0 for unknown
}

// Aggregate groups by Keys (none: one group, which exists even without rows)
// and makes a relation of the keys and then the accumulators. With Cells it leaves the groups
// where they have been accumulated, for one Scan of a GroupsInput: Rosenfeld's FINALIZE is
// woven with what reads them.
type Aggregate struct {
	Keys     []ValueID
	Accs     []Acc
	Strategy Strategy // between Dense and Hash, of the CPU: a device chooses by its own costs
	Cells    bool
	// Partitioned says of the CPU that it divides rows by their keys before it groups them.
	Partitioned bool
	Rows        float64 // estimated number of rows that come to it, 0 for unknown
	By          int     // of Ordered: the key in whose order the rows come, and on which the others depend
	Determinant int     // of Hash: the number of a key, plus one, on which the others depend; 0: none is known
	Groups      float64 // estimated number of groups, 0 for unknown
	Largest     float64 // estimated rows of the largest group, where it has many more than others; else 0
	// Combinations is the number of cells of Dense, 0 where a key has no known range or they
	// are too many.
	Combinations float64
	// Marks has a device tell in its pass over the rows which values of DISTINCT accumulators are new
	// to their groups: about so many are, of each argument. 0: it has no code for such accumulators.
	Marks float64
	// What has been chosen of a device's strategies; "" and 0 leave it to the device.
	Device       string // strategy of the aggregation
	Preaggregate string // how lanes of a warp are summed before
	Replicas     int    // of cells in global memory
	Threads      int    // of a block that goes over the rows
	ThreadRows   int    // that a thread holds at one time
	RunForm      RunForm
}

// RunForm is how a device groups runs of rows; zeros leave it to the device.
type RunForm struct {
	Kernels int    // into which the stages are cut
	Update  string // how rows are added to their groups
	Rows    int    // of a thread, which follow each other
}

// Strategy is how groups are found.
type Strategy string

// The strategies. Dense needs a known range for every key (Code keys: their
// dictionary's size); its cells are the product of the ranges, each widened by
// one for NULL where the key is nullable. Ordered needs rows in ascending order of an
// integer key without NULLs, on which the other keys depend: groups are runs of rows, and
// the result is in that order.
const (
	Single  Strategy = "single"
	Dense   Strategy = "dense"
	Hash    Strategy = "hash"
	Ordered Strategy = "ordered"
)

// Acc is one accumulator over the rows of a group for which Filter (NoValue:
// all) is true, and for which no argument is NULL; Distinct takes each value
// of the argument once. Dst are the columns it gives; an integer argument may
// be of a narrower type than Dst.
type Acc struct {
	Op       AccOp
	Args     []ValueID
	Distinct bool
	Filter   ValueID
	Fraction float64   // of percentiles
	Dst      []ValueID // values of the sink's result: their type and name
}

// Sort orders the rows by Keys and writes Cols; at most Limit rows after the
// first Offset (Limit < 0: all).
type Sort struct {
	Keys          []SortKey
	Cols          []ValueID
	Limit, Offset int64
	// Top has little more than the rows that the limit lets through kept while rows are
	// read; there is a limit then.
	Top bool
	// ByCells has a device read groups from their cells in the order of the last keys, as far as these
	// are keys of the groups and the cells are dense: the rows are sorted by the keys before these.
	ByCells bool
}

// SortKey is one key of an order.
type SortKey struct {
	Val        ValueID
	Desc       bool
	NullsFirst bool
}

// Op names the operation of a Compute. Where the words are those of
// algebra.Func the meaning is the same, on physical types. Unless said
// otherwise arguments have one type, the result has it too, and a NULL
// argument gives NULL.
type Op string
