package value

// moments are the statistics that are functions of the count, the sum and the sum of
// squares, by the names of their aggregates.
var moments = map[string]Moment{"var_samp": VarSamp, "var_pop": VarPop, "stddev_samp": StddevSamp, "stddev_pop": StddevPop}

// momentRoutine makes a statistic of the count, the sum and the sum of squares of
// exact numbers.
func momentRoutine(m Moment) []Routine {
	return []Routine{{Params: "lnn", Result: 'n', Nullable: true, Call: func(a []Value) (Value, error) {
		num, ok, err := MomentNum(m, a[0].I, a[1].Num, a[2].Num)
		if err != nil || !ok {
			return Value{}, err
		}
		return Value{Kind: Decimal, Num: num}, nil
	}}}
}
