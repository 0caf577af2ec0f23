package placement

// takeOneSide has all steps run on one side where that is likely to be quicker than on both, for programs that
// have run again and again: what passes from one side to the other is waited for and copied. Where the device
// refuses steps they are on both in any case.
func (p *Plan) takeOneSide() {
	if p.backend == nil || p.query.insists() || p.query.Memo.refuses() {
		return
	}
	known := false
	for _, c := range p.costs {
		if c.behind != "" {
			return // what is missing comes first
		}
		known = known || c.onHost > 0 || c.onDevice > 0
	}
	if !known {
		return
	}
	both := p.total(func(c *cost) bool { return c.chosen })
	host, device := p.total(func(*cost) bool { return false }), p.total(func(*cost) bool { return true })
	if min(host, device) >= both {
		return
	}
	for _, c := range p.costs {
		c.asked, c.chosen = true, device < host
	}
}

// total is what the steps are likely to take with those co-location groups on the device, what passes from
// one side to the other included.
func (p *Plan) total(onDevice func(*cost) bool) (sum float64) {
	for _, c := range p.costs {
		if onDevice(c) {
			sum += c.device
		} else {
			sum += c.host
		}
	}
	figures := p.device.costs()
	for i := range p.query.Program.Steps {
		here := onDevice(p.costs[p.group[i]])
		for k := range p.query.Program.Steps[i].Inputs {
			for _, part := range p.query.Program.Steps[i].Inputs[k].Parts {
				if onDevice(p.costs[p.group[part.Step]]) != here {
					bytes := p.query.Rows(part.Step) * float64(rowBytes(p.query.Program.Steps[part.Step].Func))
					sum += figures.Step + 1e9*bytes/figures.Link
				}
			}
		}
	}
	return sum
}
