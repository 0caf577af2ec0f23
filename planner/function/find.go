package function

// sections are the lists of rows, in the order of docs/functions.md.
var sections = []struct {
	title string
	rows  []Function
}{
	{"Numbers", numbers}, {"Texts", texts}, {"Bytes", binaries}, {"Dates and times", times}, {"Conditions", conditions}, {"Arrays", arrays}, {"JSON", documents}, {"Hashes", hashes},
	{"Aggregates", aggregates}, {"Windows", windows}, {"Sets of rows", sets}, {"Parts of JSON", jsonSets}, {"Sessions and catalogs", catalogs},
}

// named are all rows by name and kind.
var named = index()

type key struct {
	name string
	kind Kind
}

func index() map[key]*Function {
	all := make(map[key]*Function)
	for s := range sections {
		for i := range sections[s].rows {
			f := &sections[s].rows[i]
			f.Section = sections[s].title
			if f.Kind == "" {
				f.Kind = Scalar
			}
			for k := range f.Signatures {
				sig := &f.Signatures[k]
				for _, letter := range []byte(sig.Params) {
					sig.kinds = append(sig.kinds, TypeOf(letter).Kind)
				}
			}
			all[key{f.Name, f.Kind}] = f
			for _, alias := range f.Aliases {
				all[key{alias, f.Kind}] = f
			}
		}
	}
	return all
}

// Find returns the function of a name and kind; nil where there is none.
func Find(kind Kind, name string) *Function { return named[key{name, kind}] }

// Has reports whether there are functions of a name.
func Has(name string) bool {
	for _, kind := range []Kind{Scalar, Aggregate, Window, Set} {
		if Find(kind, name) != nil {
			return true
		}
	}
	return false
}

// All are all rows, in the order of docs/functions.md.
func All() []*Function {
	var all []*Function
	for s := range sections {
		for i := range sections[s].rows {
			all = append(all, &sections[s].rows[i])
		}
	}
	return all
}
