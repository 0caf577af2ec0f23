package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// renderer renders one kernel. The first refusal makes an end of it: what is
// rendered after it is thrown away.
type renderer struct {
	f        *kernel.Func
	shapes   []InputShape
	target   *Target
	threads  int // of a block
	rows     int // of a tile in each thread
	args     []Arg
	words    []launch.Word // of the args
	takes    map[int]bool  // words that the entry being written takes
	fields   []string
	known    map[Arg]string
	files    []string
	entries  []launch.Entry
	texts    []string
	outputs  []ColumnShape
	results  []kernel.ValueID // of the outputs
	bases    []int64
	sites    []Site
	maps     []*kernel.Map
	likes    []*kernel.Compute
	grouping *Grouping // of an Aggregate by cells
	markings []marking // of an Aggregate
	sort     *sortLayout
	order    *cellOrder       // of cells that are the source; nil: as they lie
	window   func(p *Planner) // plans what begins with ordered rows
	layout   Layout
	noCells  bool                    // a Build is not of LayoutCells
	narrow   []bool                  // by value: see narrowValues
	divisors map[kernel.ValueID]bool // see dividing
	samples  bool                    // the source is sampled, and the sink left alone
	// sideBySide says that the rows of a thread follow each other.
	sideBySide bool
	deferral   int // bytes of the places of rows that entries hand over
	err        error
}

// refuse says why the kernel cannot be rendered.
func (r *renderer) refuse(format string, args ...any) {
	if r.err == nil {
		r.err = &Refusal{Reason: fmt.Sprintf(format, args...)}
	}
}

// Refusal says why a kernel is not rendered; it runs on the CPU then.
type Refusal struct{ Reason string }

// Error implements error.
func (r *Refusal) Error() string { return r.Reason }

// threads is how many threads a block has, mostly.
const threads = 256

// Target is what kernels are rendered for: a device, and the strategies that there are
// for it. It is immutable.
type Target struct {
	Aggregates    []Strategy       // in the order in which they are asked
	Preaggregates []Preaggregation // likewise
	Expanders     []Expander       // likewise
	Device        machine.Device
	NoLaunches    string // why its kernels cannot launch kernels; "": they can
}

// Strategy is a way in which a device aggregates. It holds no state.
type Strategy interface {
	// Name is what settings and EXPLAIN call it.
	Name() string
	// Offer returns what it would cost, in nanoseconds of the device, or why it does not
	// apply. The grouping is laid out, and written by nobody yet.
	Offer(g *Grouping) strategy.Offer
	// Adding returns how it adds rows to their cells.
	Adding(g *Grouping) Adding
	// Render writes the entries that go over the rows.
	Render(g *Grouping)
	// Launches returns how they are launched.
	Launches(p *Planner, g *Grouping) Launches
}

// NoPreaggregation is the name of the strategy that adds each row on its own.
const NoPreaggregation = "none"

// Ordering is a Strategy of groups that are runs of rows, and of no others.
type Ordering interface {
	Strategy
	// Kernels are the numbers of kernels that there may be, with what each adds to the cost.
	Kernels(g *Grouping) []strategy.Offer
	// Updates are the ways in which rows are added to their groups.
	Updates(g *Grouping) []strategy.Offer
	// ThreadRows are the numbers of rows of a thread for an update.
	ThreadRows(g *Grouping, update string) []strategy.Offer
}

// The updates: how the rows of a thread, which follow each other, are added to the cells of
// their runs. Between the first run of a thread and the last one lie those that no other
// thread adds to.
const (
	UpdateDirect   = "direct"   // each row by an atomic operation, four rows a thread
	UpdateChunked  = "chunked"  // the same, more rows a thread
	UpdateVariable = "variable" // the rows of a run are joined in a register before
	UpdateArray    = "array"    // all runs are joined before, and those between the first and the last stored
	UpdateTile     = "tile"     // the runs of a tile are joined in shared memory, and stored side by side
)

// Preaggregation is a way in which lanes of a warp that add to one cell are joined before.
// It holds no state.
type Preaggregation interface {
	// Name is what settings and EXPLAIN call it.
	Name() string
	// Offer returns what adding the rows costs with it, in nanoseconds of the device, or
	// why it does not apply to rows that are added so.
	Offer(g *Grouping, a *Adding) strategy.Offer
	// Code is its device code: see peers.cuh. Without any each lane adds on its own.
	Code() []string
	// Left is how many additions are left of a warp's lanes that have rows.
	Left(o Odds) float64
	// Scratch is how many words of static shared memory a warp has for it.
	Scratch() int
}

// Adding is how a strategy adds rows to their cells, each on its own.
type Adding struct {
	Refusal string // why the rows have no additions to spare: nothing is atomic
	// Slots is the share of the rows that find a slot in shared memory, of which each
	// has so many Replicas.
	Slots, Replicas float64
	// Found is Slots of a block that adds to so many groups; nil: that does not depend on them.
	Found func(groups float64) float64
	// Copies of each cell in global memory: see Replicas of kernel.Aggregate.
	Copies float64
	Full   bool // every cell is known to have a slot
	Large  bool // a block has a multiprocessor for itself, and empties its slots at its end
	Deals  bool // rows are dealt out before, and several entries add them
	Tables int  // of cells in global memory, one for each thread; 0: threads share them
	g      *Grouping
}

// Lanes is the number of threads of a warp.
const Lanes = 32

// Odds are the chances that lanes of a warp have rows of the same cell, of so many Groups
// in any order. So many Lanes have a row on the average, one at least: a warp without any
// adds nothing.
type Odds struct{ Groups, Lanes float64 }

// Launches go over the rows of an aggregation, whose cells are allocated.
type Launches struct {
	// Rows accumulates in so many cells, of which likely, or an unknown number (0), have
	// rows.
	Rows func(cells, likely launch.Expr)
	// SecondPass goes over the rows once more, where that is needed: see CellLayout.
	SecondPass func(cells launch.Expr)
}

// Tier is where a block accumulates rows before their cells in global memory.
type Tier struct {
	// Slots says that there are slots in shared memory. Then Locate declares at and
	// local, the rows that go to the places at of slots; the others go to cells.
	Slots bool
	// Full says that all rows go to slots: Locate declares no local.
	Full bool
	// Open begins a block, and Locate declares cell, the cells of the rows.
	Open, Locate func(e *Entry)
	// Flush has each written for every slot that has a cell; nil: there is nothing.
	Flush func(e *Entry, each func())
	// Second takes its place in the second pass, which asks for the cells of rows with a slot,
	// too; nil: Locate knows them.
	Second *Tier
}

// Grouping renders an Aggregate with keys.
type Grouping struct {
	*renderer
	Layout  CellLayout
	Rows    float64 // estimated
	share   float64 // of the lanes, that have one
	s       *kernel.Aggregate
	how     chosen
	hasRows bool // see SetRows
	accs    []GroupedAcc
	seen    []SeenField
	packed  *packedKeys // how keys are put together, not dense
	exists  term        // dense: what is not 0 of a cell that has rows
}

// chosen is how the device aggregates.
type chosen struct {
	strategy      Strategy
	preaggregates Preaggregation
	replicas      int
	last          bool // the last block that ends writes the groups
	own           int  // tables of cells that threads have of their own: see Adding
	runs          kernel.RunForm
	decisions     []strategy.Decision // between strategies, preaggregations and numbers of replicas
}

// tables is how many tables of cells there are, of which an entry makes one in the end.
func (c *chosen) tables() int { return max(c.replicas, c.own) }

// joins reports whether lanes are joined, and copies whether there are several tables.
func (c *chosen) joins() bool  { return c.preaggregates.Name() != NoPreaggregation }
func (c *chosen) copies() bool { return c.tables() > 1 }

// GroupedAcc is an accumulator of many groups.
type GroupedAcc struct {
	acc *kernel.Acc
	row kernel.Accumulator
	cellAcc
	seen int // what reports whether the group has had a value, or -1
}

// SeenField reports for each cell whether it has had a row that passes filter and
// has none of some values NULL.
type SeenField struct {
	filter   kernel.ValueID
	nullable []kernel.ValueID
	term     term
}

// packedKeys is how the keys of a row are put together in words.
type packedKeys struct {
	words int
	bits  int
	parts []keyPart
}

// A marking tells which values of DISTINCT accumulators are new to their groups, in the pass over the
// rows that accumulates them: see marks.cuh.
type marking struct {
	acc  *kernel.Acc // of those with its argument and filter the first
	keys *packedKeys // of the groups, and the argument
}

// markingOf is the number of the marking for an accumulator, or below 0.
func (r *renderer) markingOf(acc *kernel.Acc) int {
	return slices.IndexFunc(r.markings, func(m marking) bool { return m.acc.Args[0] == acc.Args[0] && m.acc.Filter == acc.Filter })
}

// marked is the mask of the rows whose value is new to its group.
func marked(number int) string { return fmt.Sprintf("new%d", number) }

// Planner makes the launch plan of a kernel that is rendered, statement by statement.
// What fills an argument of the entries is said once, and holds for the launches after
// that until it is said anew.
type Planner struct {
	*renderer
	made     *launch.Plan
	list     []launch.Stmt // that are made now
	fills    map[Arg]launch.Arg
	status   int         // buffer of the words that entries write
	launches Launches    // of an Aggregate by cells
	out      int         // likewise: buffer of the columns that groups are written to
	last     launch.Expr // likewise: cells whose groups the last block writes, 0 for none; nil: no block does
}

// text is source while it is written.
type text struct {
	lines strings.Builder
	depth int
	temps int
}

// arguments are those of entries, by what they are for.
type arguments struct{ *renderer }

// computing writes the instructions that make values of values.
type computing struct {
	arguments
	text
}

// output writes columns.
type output struct {
	computing
	abreast     bool // rows of a warp's lanes are written side by side: see placeRows
	sink        int  // of several: the branch that is being written
	firstOutput int  // of its result
}

// Entry is a kernel of the source while it is written. The mask of the rows that
// count is the variable active.
type Entry struct {
	output
	reads []kernel.ValueID // by the sink
	eager bool             // see Pass
	warps bool             // see Pass
	// See Pass; the bytes of the places that the entry hands rows over in; of one that
	// goes on with such rows, and what is kept of its text.
	children bool
	deferred int
	isChild  bool
	few      bool // see keeping
	keeps    string
	// fetchesNext says that the columns which are fetched first are those of the next tile, and ahead what
	// stands before the loop over the tiles for that.
	fetchesNext bool
	ahead       string
	shares      bool               // blocks take shares of all matches: see shareTiles
	endPage     func()             // see EndPage
	counting    func(x *Expansion) // in place of what follows the first expansion
	entryName   string
	filters     map[int]*kernel.Probe        // that are in shared memory, by table
	packs       bool                         // rows are packed: see pack
	rowsAt      string                       // array: the rows of the source that are gone on with; "": those of the tile
	probings    map[*kernel.Probe]*probing   // where rows are packed: those of the probes before
	slots       bool                         // of an aggregation: see Tier
	full        bool                         // likewise
	peers       bool                         // lanes are joined
	update      string                       // of an aggregation of runs
	byWarp      kernel.ValueID               // column of the source that warps fetch: see FetchByWarp; NoValue: none is
	copy        string                       // what is added to the number of a cell to have that of its copy; "" for nothing
	loaded      map[kernel.ValueID]bool      // columns of the source
	fetched     map[kernel.ValueID]bool      // columns of the source whose bits are in registers
	pending     map[kernel.ValueID]payloadOf // columns of tables that are not loaded yet
	lookedUp    map[*kernel.Probe]*probing   // expansions whose keys have been searched for before: see hoist
	part        string                       // array: the part of the numbers of cells that is known; "": none is
	inPart      map[kernel.ValueID]bool      // the keys that it is of
	groups      int                          // input whose groups are being read from their cells, plus one; 0: none
}

// Pass is an entry that goes over the rows of the source: what the sink does
// before them, with the rows of a tile that have come through the body, and
// after all tiles. Rows may be called for several sets of rows of one tile; every
// thread of the block gets there, with or without rows. Any of them may be nil.
type Pass struct {
	Name              string
	Comment           string
	Reads             []kernel.ValueID // what Rows reads; nil: all that the sink does
	Open, Rows, Close func(e *Entry)
	// Last is what a block does at its end, and no kernel that goes on with its rows.
	Last func(e *Entry)
	// Eager has the narrow columns that are read fetched at the beginning of a tile,
	// and not when it is known that rows need them.
	Eager bool
	// Warps says that Rows brings the threads of a warp together, at most, and not those
	// of the block.
	Warps bool
	// Children says that Rows may be called by another entry for rows of this one, with
	// an Open and a Close of its own.
	Children bool
	// Marks says that Rows accumulates the rows, once each.
	Marks bool
	// Strides has the entry take the tiles of a sample: see top.cuh.
	Strides bool
	// Tickets has blocks take the tiles in their order, one by one: see lookback.cuh.
	Tickets bool
	// Resident is how many threads of a multiprocessor registers are to leave; 0: what the compiler leaves.
	Resident int
	// While returns a condition that ends in && and holds as long as a block is to take
	// tiles.
	While func(e *Entry) string
	// FlushTiles, where it is set, is the most tiles that a block takes before it calls
	// Close, and goes on.
	FlushTiles func(e *Entry) string
}

// payloadOf is a column of the payload that has not been loaded yet.
type payloadOf struct {
	p   *probing
	col kernel.SourceCol
}

// keeping leaves out rows before they are collected, with what it declares before the tiles.
type keeping struct {
	open, keep func(e *Entry)
	// few says that few rows remain, so that each warp takes places by itself, and last what a block
	// does at its end; nil: nothing.
	few  bool
	last func(e *Entry)
	// resident is how many threads of a multiprocessor registers are to leave; 0: what the compiler leaves.
	resident int
}

// sortLayout says how the keys of a Sort are laid out: as words whose order, from
// the first on, is the order asked for. Word w of row i stands in place w·capacity
// + i of the array. A text takes as many words as the argument ArgTextWords says.
type sortLayout struct {
	Words int // but for those of texts
	Texts int // keys that are texts
	// Top is how many rows at the beginning of the order are wanted, where only those are
	// collected that may be among them; 0: all.
	Top int64
}

// probing is a Probe while it is written.
type probing struct {
	*kernel.Probe
	table *TableShape
	end   string // array: the row behind the last match of each row, where found; "": not known yet
	more  string // condition: the row behind at has the same key; "": only end says so
	at    string // array: the cell of a row's match, or the row plus one, 0 for none
	found string // mask: rows that at is a match of, before the residual
	// always says of one that is noted by hoist that every row that is left has matches.
	always bool
}

// Expander is a form in which a device goes on with a row for each match of a probe. It
// holds no state.
type Expander interface {
	// Name is what settings and EXPLAIN call it.
	Name() string
	// Offer returns what it would cost, in nanoseconds of the device, or why it does not
	// apply.
	Offer(x *Expansion) strategy.Offer
	// Stages reports whether rows wait in shared memory for the threads of their block.
	Stages() bool
	// Defers reports whether it hands rows over to kernels that it launches.
	Defers() bool
	// Render writes what deals the matches out, around x.Pairs.
	Render(x *Expansion)
}

// Expansion is a probe that goes on with a row for each match. While it is written, At
// counts from one the first match of each row of the mask Found, and Last the last one.
type Expansion struct {
	*Entry
	Probe           *kernel.Probe
	Fanout          Fanout
	Behind          Behind
	At, Last, Found string
	Live            []kernel.ValueID // values from before it that are read after it
	p               *probing
	rest            kernel.Block
	then            func()
}
