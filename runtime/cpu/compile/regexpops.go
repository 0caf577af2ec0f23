package compile

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// regexps compiles regular expressions: one is compiled when it differs from
// that of the row before.
type regexps struct {
	re             *value.Regexp
	pattern, flags string
	global         bool
}

func (r *regexps) get(m *value.Meter, pattern, flags string) *value.Regexp {
	if r.re == nil || pattern != r.pattern || flags != r.flags {
		pattern, flags = long.Clone(pattern), long.Clone(flags)
		r.re, r.pattern, r.flags = sqlstate.Must(value.NewRegexp(m, pattern, flags, r.global)), pattern, flags
	}
	return r.re
}

func makeRegexpLike(*Compiler, *kernel.Compute) apply {
	res := &regexps{}
	return metered3(func(m *value.Meter, s, pattern, flags string) uint8 {
		return vector.B2u(res.get(m, pattern, flags).Match(m, s))
	})
}

func makeRegexpReplace(*Compiler, *kernel.Compute) apply {
	res := &regexps{global: true}
	return func(fr *frame) {
		s, pattern, by, flags := vector.Of[string](fr.args[0]), vector.Of[string](fr.args[1]), vector.Of[string](fr.args[2]), vector.Of[string](fr.args[3])
		sm, pm, bm, fm := fr.args[0].Mask(), fr.args[1].Mask(), fr.args[2].Mask(), fr.args[3].Mask()
		dst := vector.Of[string](fr.dst)
		fr.valid(func(i int) {
			dst[i] = res.get(fr.meter, pattern[i&pm], flags[i&fm]).Replace(fr.meter, s[i&sm], by[i&bm])
		})
	}
}
