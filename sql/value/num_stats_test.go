package value

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestSquareRootsOf128Bits(t *testing.T) {
	check := func(t interface{ Errorf(string, ...any) }, u uint128) {
		x := new(big.Int).Add(new(big.Int).Lsh(new(big.Int).SetUint64(u.hi), 64), new(big.Int).SetUint64(u.lo))
		root := u.sqrtRound()
		got := new(big.Int).Add(new(big.Int).Lsh(new(big.Int).SetUint64(root.hi), 64), new(big.Int).SetUint64(root.lo))
		if want := bigSqrtRound(x); got.Cmp(want) != 0 {
			t.Errorf("the root of %v is %v, want %v", x, got, want)
		}
	}
	for _, u := range []uint128{{}, {lo: 1}, {lo: 2}, {lo: 3}, {hi: 1}, {hi: math.MaxUint64, lo: math.MaxUint64}, {hi: math.MaxUint64 - 1, lo: 1}, {hi: math.MaxUint64 - 1}, {hi: math.MaxUint64}} {
		check(t, u)
	}
	rapid.Check(t, func(t *rapid.T) {
		shift := rapid.UintRange(0, 63).Draw(t, "shift")
		check(t, uint128{rapid.Uint64().Draw(t, "hi"), rapid.Uint64().Draw(t, "lo")}.shr(shift))
		check(t, uint128{hi: 0, lo: rapid.Uint64().Draw(t, "low")})
		r := rapid.Uint64().Draw(t, "root")
		_, square := mul128(uint128{lo: r}, uint128{lo: r})
		check(t, square.add(uint128{lo: r}))
		check(t, square.add(uint128{lo: r}).add(uint128{lo: 1}))
	})
}

// TestNarrowVariances compares variances in 128 bits with those in as many as it takes: the
// same numbers at a scale by which 128 bits do not hold what is between.
func TestNarrowVariances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(-1e6, 1e6), 2, 30).Draw(t, "values")
		scale := rapid.Uint8Range(0, 4).Draw(t, "scale")
		var sum, squares int64
		for _, x := range values {
			sum, squares = sum+x, squares+x*x
		}
		for m := VarSamp; m <= StddevPop; m++ {
			got, ok, err := MomentNum(m, int64(len(values)), Num{Int128Of(sum), scale}, Num{Int128Of(squares), 2 * scale})
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			// A sum of squares at another scale goes the long way.
			wider := Int128Of(squares)
			wider, _ = wider.Mul(Int128Of(10))
			want, _, err := MomentNum(m, int64(len(values)), Num{Int128Of(sum * 10), scale + 1}, Num{wider, 2*scale + 1})
			if err != nil {
				t.Fatal(err)
			}
			if got.Cmp(want) != 0 {
				t.Errorf("%d of %v at scale %d: %v, want %v", m, values, scale, got, want)
			}
		}
	})
}
