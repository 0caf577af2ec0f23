package workload

// maxDimensions is how many dimensions a cube has at most.
const maxDimensions = 8

// combination holds one base element of each dimension.
type combination [maxDimensions]int32

// cubeDimension describes a dimension of a cube.
type cubeDimension struct {
	name string
	// base and elements are the numbers of base elements and of all elements.
	base, elements int32
	// dense says that each base element is filled with all combinations of those of the
	// sparse dimensions.
	dense bool
	// edges lead to consolidated elements; nil where no query asks for any.
	edges []edge
}

// edge says that a base element counts in a consolidated element.
type edge struct{ base, element, weight int32 }

// cube is what a seed makes of a cube's description.
type cube struct {
	dims []cubeDimension
	// combos are the filled combinations of the sparse dimensions.
	combos []combination
}

// filled is the number of all filled cells.
func (c *cube) filled() int64 {
	n := int64(len(c.combos))
	for _, d := range c.dims {
		if d.dense {
			n *= int64(d.base)
		}
	}
	return n
}

// An Area is a target area of a cube: the combinations of the elements of its targets,
// with the totals of all other dimensions. Its answer has a row for each of its cells
// that a filled cell counts in: the elements of the targets in their order, and the sum
// of the values, each multiplied with the weights of its base elements.
type Area struct {
	Name    string
	Targets []Target
}

// A Target selects the consolidated elements First to Last of a dimension.
type Target struct {
	Dimension   string
	First, Last int32
}
