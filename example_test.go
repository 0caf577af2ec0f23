package cubeloom_test

import (
	"context"
	"fmt"
	"log"

	"github.com/cubeloom/cubeloom"
)

func Example() {
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	session := db.Session()
	ctx := context.Background()
	if _, err := session.Query(ctx, `CREATE TABLE sales AS
		SELECT * FROM (VALUES ('north', 2024, 10.50), ('north', 2025, 12.00), ('south', 2025, 7.25)) AS v (region, year, amount)`); err != nil {
		log.Fatal(err)
	}
	res, err := session.Query(ctx, `SELECT region, year, sum(amount), avg(amount)
		FROM sales GROUP BY ROLLUP (region, year) ORDER BY region, year`)
	if err != nil {
		log.Fatal(err)
	}
	cur := res.Cursor()
	for cur.Next() {
		fmt.Printf("%q %q %s %s\n", cur.Text(0), cur.Text(1), cur.Text(2), cur.Text(3))
	}
	if err := cur.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// "north" "2024" 10.50 10.5000000000000000
	// "north" "2025" 12.00 12.0000000000000000
	// "north" "" 22.50 11.2500000000000000
	// "south" "2025" 7.25 7.2500000000000000
	// "south" "" 7.25 7.2500000000000000
	// "" "" 29.75 9.9166666666666667
}
