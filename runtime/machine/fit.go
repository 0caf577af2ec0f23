package machine

// Figures that are fitted: relErr is by what part a kernel differs from the sum of its parts, and a figure
// stays within bound times what it was before.
const (
	relErr = 0.2
	bound  = 4
)

// Fit returns the figures by which the registers of kernels come closest to what they were given, by
// least squares of the relative errors. Each is held by its value before, from which it departs by as
// much as itself as easily as a kernel from its estimate by relErr; kernels that spill say nothing of it.
func Fit(before *Parts, kernels []Compiled) Parts {
	var normal [numParts][numParts + 1]float64
	prior := before.fields()
	for i := range normal {
		scale := relErr / max(*prior[i], 1)
		normal[i][i] = scale * scale
		normal[i][numParts] = scale * scale * *prior[i]
	}
	used := 0
	for k := range kernels {
		if kernels[k].Spilled > 0 || kernels[k].Registers <= 0 {
			continue
		}
		used++
		x, y := kernels[k].Parts.fields(), float64(kernels[k].Registers)
		for i := range normal {
			for j := range normal {
				normal[i][j] += *x[i] * *x[j] / (y * y)
			}
			normal[i][numParts] += *x[i] / y
		}
	}
	if used == 0 {
		return *before
	}
	solve(&normal)
	fitted := *before
	for i, f := range fitted.fields() {
		*f = min(max(normal[i][numParts], *prior[i]/bound), *prior[i]*bound)
	}
	return fitted
}

// solve solves a system whose matrix is symmetric and positive definite: the last column becomes the
// solution.
func solve(m *[numParts][numParts + 1]float64) {
	for i := range m {
		for k := range m {
			if k == i {
				continue
			}
			factor := m[k][i] / m[i][i]
			for j := i; j <= numParts; j++ {
				m[k][j] -= factor * m[i][j]
			}
		}
	}
	for i := range m {
		m[i][numParts] /= m[i][i]
	}
}
