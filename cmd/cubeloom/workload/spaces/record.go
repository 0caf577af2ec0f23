package spaces

// Blocks is how many blocks are measured of a configuration, and GiveUpAfter after how
// many one is given up whose blocks take GiveUpAt times as long as those of the best.
const (
	Blocks      = 32
	GiveUpAfter = 3
	GiveUpAt    = 10
)

// Measure fills in the points of a part: run does one block or several with the parameters of a
// configuration, or says why it cannot be. The fastest mean of other parts, 0 for none, is
// what blocks are compared with, too; that with this part is returned.
func (p *Part) Measure(fastest float64, blocks int, run func(values []int64) (nanoseconds []int64, refusal string, err error)) (float64, error) {
	p.Points = make([]Point, p.Size())
	for i := range p.Points {
		pt, values := &p.Points[i], p.Values(i)
		for len(pt.Times) < blocks {
			times, refusal, err := run(values)
			if err != nil {
				return fastest, err
			}
			if refusal != "" {
				pt.Times, pt.Refusal = nil, refusal
				break
			}
			for _, t := range times {
				pt.Times = append(pt.Times, max(t, 1))
			}
			if n := len(pt.Times); n >= GiveUpAfter && n-len(times) < GiveUpAfter && fastest > 0 && pt.Mean() > GiveUpAt*fastest {
				pt.GivenUp = true
				break
			}
		}
		if m := pt.Mean(); len(pt.Times) > 0 && (fastest == 0 || m < fastest) {
			fastest = m
		}
	}
	return fastest, nil
}

// givenUp is how many configurations were given up.
func (p *Part) givenUp() (n int) {
	for i := range p.Points {
		if p.Points[i].GivenUp {
			n++
		}
	}
	return n
}
