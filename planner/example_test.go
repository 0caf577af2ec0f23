package planner_test

import (
	"fmt"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
)

// schema is a catalog of another program: names, types and statistics, with no
// data behind them.
type schema map[string]*planner.Relation

func (s schema) Relation(name []string) (*planner.Relation, error) { return s[name[len(name)-1]], nil }

func (schema) Type([]string) (algebra.UserType, error) { return nil, nil }

func (schema) Functions([]string) ([]*planner.UserFunction, error) { return nil, nil }

func (s schema) File(string, map[string]string) (*planner.Relation, error) { return nil, nil }

func table(name string, rows int64, columns ...planner.CatalogColumn) *planner.Relation {
	return &planner.Relation{Ref: algebra.TableRef{Name: name, Rows: rows}, Columns: columns}
}

func key(name string, rows int64) planner.CatalogColumn {
	return planner.CatalogColumn{Name: name, Type: algebra.TInt32, NotNull: true, Stats: algebra.Stats{
		HasBounds: true, Min: 1, Max: rows, Distinct: float64(rows),
	}}
}

func word(name string, distinct float64) planner.CatalogColumn {
	return planner.CatalogColumn{Name: name, Type: algebra.TText, NotNull: true, Stats: algebra.Stats{
		Distinct: distinct, Dict: true,
	}}
}

// Another program plans a query of the Star Schema Benchmark over tables that
// exist nowhere: it needs their columns and statistics only.
func Example() {
	cat := schema{
		"lineorder": table("lineorder", 6_000_000,
			key("lo_partkey", 200_000), key("lo_suppkey", 2_000), key("lo_revenue", 10_000_000)),
		"part":     table("part", 200_000, key("p_partkey", 200_000), word("p_category", 25), word("p_brand1", 1000)),
		"supplier": table("supplier", 2_000, key("s_suppkey", 2_000), word("s_region", 5)),
	}
	stmt, err := sql.Parse(`
		SELECT p_brand1, sum(lo_revenue) AS revenue
		FROM supplier, part, lineorder
		WHERE lo_partkey = p_partkey AND lo_suppkey = s_suppkey
		  AND p_category = 'MFGR#12' AND s_region = 'AMERICA'
		GROUP BY p_brand1 ORDER BY revenue DESC LIMIT 3`)
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := planner.Build(stmt.(*sql.Query), cat, planner.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range plan.Columns {
		fmt.Println(c.Name, c.Type)
	}
	fmt.Print(algebra.Format(plan.Root))
	for _, step := range plan.Steps {
		if step.Changed {
			fmt.Println(step.Rule)
		}
	}
	// Output:
	// p_brand1 text
	// revenue bigint
	// top by revenue desc limit 3
	//   aggregate by p_brand1 compute sum(lo_revenue) as revenue
	//     inner join on lo_suppkey = s_suppkey
	//       inner join on lo_partkey = p_partkey
	//         scan lineorder columns lo_partkey, lo_suppkey, lo_revenue
	//         filter p_category = 'MFGR#12'
	//           scan part columns p_partkey, p_category, p_brand1
	//       filter s_region = 'AMERICA'
	//         scan supplier columns s_suppkey, s_region
	// push_filters
	// join_keys
	// limits
	// order_joins
	// remove_noops
}
