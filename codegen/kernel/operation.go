package kernel

// Operation is what verifier, lowering and the backends know of an Op.
type Operation struct {
	// Signatures are the argument types and the result type. A type is one letter:
	// b Bool, w I32, l I64, h I128, f F64, n Num, i Interval, s Str, c Code; T is
	// any type of the class after the colon, the same at each T; * is any type, and
	// a trailing + repeats the last argument.
	Signatures []string
	Raises     Raises
	Nulls      Nulls
	// CUDA is the operator or function of C++ that computes it, where there is one.
	CUDA string
}

// Raises is when an operation can raise an error.
type Raises uint8

// The ways.
const (
	Always       Raises = iota // for some arguments
	Never                      // whatever the arguments are
	WhenChecked                // where Compute.Checked is set
	UnlessProven               // where Compute.Checked is set, and of types other than machine integers
	UnlessFloat                // but of double precision
)

// Nulls is what an operation does with NULL.
type Nulls uint8

// The ways. Where it is not Strict an operation sees its arguments' NULLs.
const (
	Strict  Nulls = iota // a NULL argument gives NULL, others do not
	Logical              // NULL is an unknown truth, and may come of it
	NotNull              // the result is never NULL
	Partial              // strict, but the result may be NULL without a NULL argument
)

// operations is the table of all operations but OpRoutine, whose signatures are
// those of the routines.
var operations = map[Op]Operation{
	OpAdd:     {Signatures: []string{"TT>T:wlhfni"}, Raises: UnlessProven, CUDA: "add"},
	OpSub:     {Signatures: []string{"TT>T:wlhfni"}, Raises: UnlessProven, CUDA: "sub"},
	OpMul:     {Signatures: []string{"TT>T:wlhfn", "ll>h"}, Raises: UnlessProven, CUDA: "mul"},
	OpDiv:     {Signatures: []string{"TT>T:wlfn"}},
	OpMod:     {Signatures: []string{"TT>T:wlhn"}},
	OpNeg:     {Signatures: []string{"T>T:wlhfni"}, Raises: UnlessProven, CUDA: "neg"},
	OpAbs:     {Signatures: []string{"T>T:wlhfn"}, Raises: UnlessProven, CUDA: "abs"},
	OpRescale: {Signatures: []string{"T>T:lh"}, Raises: UnlessProven},
	OpNarrow:  {Signatures: []string{"T>T:wlh"}},

	OpRound: {Signatures: []string{"T>T:fn"}, Raises: UnlessFloat, CUDA: "rint"},
	OpTrunc: {Signatures: []string{"T>T:fn"}, Raises: UnlessFloat, CUDA: "trunc"},
	OpFloor: {Signatures: []string{"T>T:fn"}, Raises: UnlessFloat, CUDA: "floor"},
	OpCeil:  {Signatures: []string{"T>T:fn"}, Raises: UnlessFloat, CUDA: "ceil"},
	OpPower: {Signatures: []string{"TT>T:fn"}},
	OpSqrt:  {Signatures: []string{"T>T:fn"}},
	OpLn:    {Signatures: []string{"T>T:fn"}},
	OpLog10: {Signatures: []string{"T>T:fn"}},
	OpExp:   {Signatures: []string{"T>T:fn"}},
	OpSign:  {Signatures: []string{"T>T:wlhfn"}, Raises: Never},

	OpEq:       {Signatures: []string{"TT>b:bwlhfnisc"}, Raises: Never, CUDA: "=="},
	OpNe:       {Signatures: []string{"TT>b:bwlhfnisc"}, Raises: Never, CUDA: "!="},
	OpLt:       {Signatures: []string{"TT>b:bwlhfnis"}, Raises: Never, CUDA: "<"},
	OpLe:       {Signatures: []string{"TT>b:bwlhfnis"}, Raises: Never, CUDA: "<="},
	OpGt:       {Signatures: []string{"TT>b:bwlhfnis"}, Raises: Never, CUDA: ">"},
	OpGe:       {Signatures: []string{"TT>b:bwlhfnis"}, Raises: Never, CUDA: ">="},
	OpDistinct: {Signatures: []string{"TT>b:bwlhfnisc"}, Raises: Never, Nulls: NotNull},

	OpAnd:       {Signatures: []string{"bb>b"}, Raises: Never, Nulls: Logical},
	OpOr:        {Signatures: []string{"bb>b"}, Raises: Never, Nulls: Logical},
	OpNot:       {Signatures: []string{"b>b"}, Raises: Never},
	OpIsNull:    {Signatures: []string{"*>b"}, Raises: Never, Nulls: NotNull},
	OpIsTrue:    {Signatures: []string{"b>b"}, Raises: Never, Nulls: NotNull},
	OpIsFalse:   {Signatures: []string{"b>b"}, Raises: Never, Nulls: NotNull},
	OpIn:        {Signatures: []string{"TT+>b:bwlhfnis"}, Raises: Never, Nulls: Logical},
	OpAtMostOne: {Signatures: []string{"l>b"}},

	OpRank:   {Signatures: []string{"c>w"}, Raises: Never},
	OpUnrank: {Signatures: []string{"w>c"}, Raises: Never},
	OpDecode: {Signatures: []string{"c>s"}, Raises: Never},
	OpConvert: {Signatures: []string{
		"w>T:lhfnb", "l>T:whfns", "h>T:wlfns", "f>T:wlhn", "n>T:wlhf", "s>T:lhn", "b>w",
	}, Raises: WhenChecked},
	OpParse:  {Signatures: []string{"s>T:bwlhfni"}},
	OpFormat: {Signatures: []string{"T>s:bwlhfni"}, Raises: Never},

	OpLike:      {Signatures: []string{"sss>b"}},
	OpILike:     {Signatures: []string{"sss>b"}},
	OpSubstring: {Signatures: []string{"sw>s", "sww>s"}},
	OpUpper:     {Signatures: []string{"s>s"}, Raises: Never},
	OpLower:     {Signatures: []string{"s>s"}, Raises: Never},
	OpTrim:      {Signatures: []string{"ss>s"}, Raises: Never},
	OpLTrim:     {Signatures: []string{"ss>s"}, Raises: Never},
	OpRTrim:     {Signatures: []string{"ss>s"}, Raises: Never},
	OpLength:    {Signatures: []string{"s>w"}, Raises: Never, CUDA: "length_of"},
	OpConcat:    {Signatures: []string{"ss>s"}},
	OpReplace:   {Signatures: []string{"sss>s"}},
	OpPosition:  {Signatures: []string{"ss>w"}, Raises: Never},
	OpLeft:      {Signatures: []string{"sw>s"}, Raises: Never, CUDA: "left"},
	OpRight:     {Signatures: []string{"sw>s"}, Raises: Never, CUDA: "right"},
	OpLPad:      {Signatures: []string{"sws>s"}},
	OpRPad:      {Signatures: []string{"sws>s"}},
	OpSplitPart: {Signatures: []string{"ssw>s"}},
	OpReverse:   {Signatures: []string{"s>s"}, Raises: Never},
	OpRepeat:    {Signatures: []string{"sw>s"}},
	OpMD5:       {Signatures: []string{"s>s"}, Raises: Never},
	OpClip:      {Signatures: []string{"s>s"}, Raises: WhenChecked},

	OpRegexpLike:    {Signatures: []string{"sss>b"}},
	OpRegexpReplace: {Signatures: []string{"ssss>s"}},
	OpToChar:        {Signatures: []string{"ls>s"}, Raises: Never},
	OpToDate:        {Signatures: []string{"ss>w"}},

	OpExtractDate:      {Signatures: []string{"w>T:wn"}, Raises: Never},
	OpExtractTimestamp: {Signatures: []string{"l>T:ln"}, Raises: Never},
	OpExtractInterval:  {Signatures: []string{"i>T:ln"}, Raises: Never},
	OpTruncTimestamp:   {Signatures: []string{"l>l"}},
	OpTruncInterval:    {Signatures: []string{"i>i"}},
	OpDateToTimestamp:  {Signatures: []string{"w>l"}},
	OpTimestampToDate:  {Signatures: []string{"l>w"}},
	OpAddInterval:      {Signatures: []string{"li>l"}},
	OpSubInterval:      {Signatures: []string{"li>l"}},
	OpSubTimes:         {Signatures: []string{"ll>i"}},
	OpAge:              {Signatures: []string{"ll>i"}},
	OpMulInterval:      {Signatures: []string{"if>i"}},
	OpDivInterval:      {Signatures: []string{"if>i"}},

	OpAvgNum:   {Signatures: []string{"Tl>n:lhn"}, Nulls: Partial},
	OpVarNum:   {Signatures: []string{"lTT>n:lhn", "llh>n"}, Nulls: Partial},
	OpVarFloat: {Signatures: []string{"fff>f"}, Nulls: Partial},
}

// Operation is what is known of the operation.
func (op Op) Operation() Operation { return operations[op] }

// SeesNulls reports whether the operation looks at NULL arguments; others are NULL
// where an argument is.
func (op Op) SeesNulls() bool {
	nulls := operations[op].Nulls
	return nulls == Logical || nulls == NotNull
}

// IsComparison reports whether the operation compares two values and is NULL where one
// of them is.
func (op Op) IsComparison() bool {
	switch op {
	case OpEq, OpNe, OpLt, OpLe, OpGt, OpGe:
		return true
	}
	return false
}
