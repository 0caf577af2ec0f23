package codegen_test

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/fusion"
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

// Another program plans and weaves a query of the Star Schema Benchmark over
// tables that exist nowhere: columns and statistics are all that it takes.
func Example() {
	cat := schema{
		"lineorder": table("lineorder", 6_000_000, key("lo_partkey", 200_000), key("lo_revenue", 10_000_000)),
		"part":      table("part", 200_000, key("p_partkey", 200_000), word("p_category", 25), word("p_brand1", 1000)),
	}
	stmt, err := sql.Parse(`
		SELECT p_brand1, sum(lo_revenue) AS revenue
		FROM part, lineorder
		WHERE lo_partkey = p_partkey AND p_category = 'MFGR#12'
		GROUP BY p_brand1`)
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := planner.Build(stmt.(*sql.Query), cat, planner.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(algebra.Format(plan.Root))
	woven, err := fusion.Weave(plan.Root, fusion.Options{Fusion: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	explanation := fusion.Explain(woven)
	fmt.Print(explanation.Text())
	for _, d := range explanation.Edges {
		fmt.Printf("%s to %s: woven %v, %s\n", d.FromName, d.ToName, d.Woven, d.Reason)
	}
	program, err := codegen.Generate(woven)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range program.Steps {
		fmt.Print(kernel.Print(step.Func))
	}
	// Output:
	// aggregate by p_brand1 compute sum(lo_revenue) as revenue
	//   inner join on lo_partkey = p_partkey
	//     scan lineorder columns lo_partkey, lo_revenue
	//     filter p_category = 'MFGR#12'
	//       scan part columns p_partkey, p_category, p_brand1
	// ╭─ group 0 ─────────────────────────────────────────────────────── 33 registers, 0 B shared ─╮
	// │ scan    part                                                                    200 k rows │
	// │         ↓ thread                                                                           │
	// │ filter  p_category = 'MFGR#12'                                                  8.0 k rows │
	// │         ↓ thread                                                                           │
	// │ build   by p_partkey                                                            8.0 k rows │
	// ╰────────────────────────────────────────────────────────────────────────────────────────────╯
	//    ⇓ kernel dependence: the hash table is complete when all rows are in it; 62.5 KiB for
	//      probe in group 1
	// ╭─ group 1 ─────────────────────────────────────────────────── 38 registers, 1.0 KiB shared ─╮
	// │ scan       lineorder                                                            6.0 M rows │
	// │            ↓ thread                                                                        │
	// │ probe      inner by lo_partkey ⇐ group 0                                        240 k rows │
	// │            ↓ CTA                                                                           │
	// │ aggregate  sum(lo_revenue) by p_brand1                                           1000 rows │
	// │            ↓ kernel                                                                        │
	// │ groups     read from their cells                                                 1000 rows │
	// ╰────────────────────────────────────────────────────────────────────────────────────────────╯
	// scan to filter: woven true, only says where the rows are
	// filter to build: woven true, a row depends on one row: passes in registers
	// scan to probe: woven true, only says where the rows are
	// build to probe: woven false, the hash table is complete when all rows are in it
	// probe to aggregate: woven true, a block depends on one block: passes in shared memory, behind a barrier
	// aggregate to groups: woven true, they are the result: the kernel that has the groups writes them
	// kernel "g0_build_part" dicts 2
	//   input 0 relation "part"
	//   param %0 str = "MFGR#12"
	//   scan 0
	//     %1 i32 "p_partkey" = column 0
	//     %2 code dict0 "p_category" = column 1
	//     %3 code dict1 "p_brand1" = column 2
	//   body
	//     %6 bool = map %2 as %4 str "p_category"
	//       %5 bool = eq %4 %0
	//       yield %5
	//     end
	//     filter %6
	//   build rows 8000 keys %1 payload %3
	// end
	// kernel "g1_aggregate_lineorder" dicts 1
	//   input 0 relation "lineorder"
	//   input 1 table "g0_build_part"
	//   scan 0
	//     %0 i32 "lo_partkey" = column 0
	//     %1 i32 "lo_revenue" = column 1
	//   body
	//     probe inner 1 keys %0 rows 6e+06 to 240000 of 8000
	//       %2 code dict0 "p_brand1" = column 0
	//     end
	//   aggregate dense rows 240000 groups 999.7153923247304 combinations 1000 keys %2
	//     sum %1 filter none
	//       gives %3 i64 "revenue"
	//   end
	// end
}
