package cuda

import (
	"context"
	"fmt"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// errNotFinite has what raises it run in order, or on the CPU.
var errNotFinite = &cudagen.Refusal{Reason: cudagen.NotFinite}

// rowError is the error that a row has raised on the device: the one that the
// CPU backend raises.
func (r *run) rowError(code cudagen.ErrorCode, site, entry uint64) error {
	switch in := r.module.Sites[site].Instr.(type) {
	case *kernel.Map:
		return r.mapError(in, entry)
	case *kernel.Compute:
		return value.At(r.computeError(code, in), in.Pos)
	}
	switch code {
	case cudagen.ErrNotFinite:
		return errNotFinite
	case cudagen.ErrNumRange:
		return errNumRange()
	case cudagen.ErrSumRange:
		return value.Errorf(value.CodeNumericOutOfRange, "numeric field overflow: a sum needs more than 38 digits")
	case cudagen.ErrFloatOverflow:
		return value.ErrFloatOverflow()
	case cudagen.ErrIntRange:
		return value.ErrIntRange(64)
	case cudagen.ErrIntervalRange:
		return errIntervalRange()
	case cudagen.ErrNtile:
		return value.Errorf(value.CodeInvalidNtile, "argument of ntile must be greater than zero")
	case cudagen.ErrNthValue:
		return value.Errorf(value.CodeInvalidNthValue, "argument of nth_value must be greater than zero")
	}
	return errInternal("kernel %s reports error %d", r.f.Name, code)
}

// computeError is the error of an operation.
func (r *run) computeError(code cudagen.ErrorCode, in *kernel.Compute) error {
	switch code {
	case cudagen.ErrNotASCII:
		return &cudagen.Refusal{Reason: fmt.Sprintf("there is no device code for %s of a text that has other characters than ASCII's", in.Op)}
	case cudagen.ErrIntRange:
		return value.ErrIntRange(r.resultBits(in))
	case cudagen.ErrNumericRange:
		return value.Errorf(value.CodeNumericOutOfRange, "numeric field overflow")
	case cudagen.ErrNumRange:
		return errNumRange()
	case cudagen.ErrPrecision:
		return value.CheckPrecision(value.Pow10(int(in.Aux.Digits)), int(in.Aux.Digits), in.Aux.Scale)
	case cudagen.ErrDivisionByZero:
		return value.Errorf(value.CodeDivisionByZero, "division by zero")
	case cudagen.ErrDateRange:
		return errDateRange(in.Op)
	case cudagen.ErrInfinite:
		return errInfinite(in.Aux.Field, r.f.Values[in.Dst].Type)
	case cudagen.ErrUndefined, cudagen.ErrNegative:
		return undefined(in.Op, code == cudagen.ErrNegative)
	case cudagen.ErrManyRows:
		return value.CheckOneRow(2)
	case cudagen.ErrSubstring:
		_, err := value.Substring(nil, "", 1, -1)
		return err
	case cudagen.ErrIntervalRange:
		return errIntervalRange()
	case cudagen.ErrTimestampRange:
		return value.Errorf(value.CodeDatetimeOverflow, "timestamp out of range")
	case cudagen.ErrFloatOverflow:
		return value.ErrFloatOverflow()
	case cudagen.ErrFloatUnderflow:
		_, err := value.MulFloat64(1e-300, 1e-300)
		return err
	}
	return errInternal("kernel %s reports error %d", r.f.Name, code)
}

// errDateRange is what an operation raises for a date out of range.
func errDateRange(op kernel.Op) (err error) {
	if op == kernel.OpDateOf {
		_, err = value.DateOf(value.MaxDate + 1)
	} else {
		_, err = value.DateToTimestamp(value.MaxDate)
	}
	return err
}

// errInfinite is what extracting a field of an infinite date or timestamp raises, or without a
// field taking one away.
func errInfinite(field string, t kernel.Type) (err error) {
	f, unknown := value.ParseExtractField(field, value.TimestampType)
	switch {
	case unknown == nil:
		return value.CheckExtracted(f)
	case t == kernel.I32:
		_, err = value.FiniteDate(value.InfinityDate)
	default:
		_, err = value.FiniteTimestamp(value.Infinity)
	}
	return err
}

// undefined is what a function of double precision raises for an argument for which it is not
// defined.
func undefined(op kernel.Op, negative bool) (err error) {
	x := 0.0
	if negative {
		x = -1
	}
	switch op {
	case kernel.OpSqrt:
		_, err = value.SqrtFloat64(x)
	case kernel.OpPower: // of which zero has no negative power, and no other has a root
		_, err = value.PowerFloat64(x, -0.5)
	default:
		_, err = value.LnFloat64(x)
	}
	return err
}

// resultBits is the width of the SQL type of an operation's result.
func (r *run) resultBits(in *kernel.Compute) int {
	switch {
	case in.Aux.Bits != 0:
		return int(in.Aux.Bits)
	case r.f.Values[in.Dst].Type == kernel.I32:
		return 32
	}
	return 64
}

// errNumRange is what numerics raise for a result of more than 38 digits.
func errNumRange() error {
	return value.Errorf(value.CodeNumericOutOfRange, "value overflows numeric format")
}

// errIntervalRange is what intervals raise for a result out of range.
func errIntervalRange() error {
	return value.Errorf(value.CodeDatetimeOverflow, "interval out of range")
}

// canceled is the error of a run whose context has ended, or nil.
func canceled(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
