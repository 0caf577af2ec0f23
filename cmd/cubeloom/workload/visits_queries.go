package workload

import (
	"fmt"
	"strings"
)

// visitQueries are questions of the kinds that people ask of such logs. What comes first is in an order that
// leaves nothing open.
var visitQueries = []string{
	"SELECT count(*) FROM visits WHERE engine <> 0",
	"SELECT sum(refreshed), count(*), avg(width) FROM visits",
	"SELECT avg(visitor) FROM visits",
	"SELECT count(DISTINCT visitor) FROM visits",
	"SELECT count(DISTINCT phrase) FROM visits",
	"SELECT min(day), max(day), count(DISTINCT url) FROM visits",
	"SELECT engine, count(*) AS n FROM visits WHERE engine <> 0 GROUP BY engine ORDER BY n DESC, engine",
	"SELECT region, count(DISTINCT visitor) AS visitors FROM visits GROUP BY region ORDER BY visitors DESC, region LIMIT 10",
	"SELECT region, sum(seconds), count(*) AS n, avg(width), count(DISTINCT visitor) FROM visits GROUP BY region ORDER BY n DESC, region LIMIT 10",
	"SELECT model, count(DISTINCT visitor) AS visitors FROM visits WHERE model <> '' GROUP BY model ORDER BY visitors DESC, model LIMIT 10",
	"SELECT phone, model, count(DISTINCT visitor) AS visitors FROM visits WHERE model <> '' GROUP BY phone, model ORDER BY visitors DESC, phone, model LIMIT 10",
	"SELECT phrase, count(*) AS n FROM visits WHERE phrase <> '' GROUP BY phrase ORDER BY n DESC, phrase LIMIT 10",
	"SELECT phrase, count(DISTINCT visitor) AS visitors FROM visits WHERE phrase <> '' GROUP BY phrase ORDER BY visitors DESC, phrase LIMIT 10",
	"SELECT engine, phrase, count(*) AS n FROM visits WHERE phrase <> '' GROUP BY engine, phrase ORDER BY n DESC, engine, phrase LIMIT 10",
	"SELECT visitor, count(*) AS n FROM visits GROUP BY visitor ORDER BY n DESC, visitor LIMIT 10",
	"SELECT visitor, phrase, count(*) AS n FROM visits GROUP BY visitor, phrase ORDER BY n DESC, visitor, phrase LIMIT 10",
	"SELECT visitor, second - second % 60 AS minute, phrase, count(*) AS n FROM visits GROUP BY visitor, second - second % 60, phrase ORDER BY n DESC, visitor, minute, phrase LIMIT 10",
	"SELECT count(*) FROM visits WHERE visitor = 4355909654702510000",
	"SELECT count(*) FROM visits WHERE url LIKE '%camera%'",
	"SELECT phrase, min(url), count(*) AS n FROM visits WHERE url LIKE '%camera%' AND phrase <> '' GROUP BY phrase ORDER BY n DESC, phrase LIMIT 10",
	"SELECT phrase, min(url), min(title), count(*) AS n, count(DISTINCT visitor) FROM visits WHERE title LIKE '%river%' AND url NOT LIKE '%www.%' AND phrase <> '' GROUP BY phrase ORDER BY n DESC, phrase LIMIT 10",
	"SELECT * FROM visits WHERE url LIKE '%camera%' ORDER BY day, second, view LIMIT 10",
	"SELECT phrase FROM visits WHERE phrase <> '' ORDER BY day, second, view LIMIT 10",
	"SELECT phrase FROM visits WHERE phrase <> '' ORDER BY phrase LIMIT 10",
	"SELECT site, avg(length(url)) AS longest, count(*) AS n FROM visits WHERE url <> '' GROUP BY site HAVING count(*) > 1000 ORDER BY longest DESC, site LIMIT 25",
	`SELECT regexp_replace(referrer, '^https?://(www\.)?([^/]+)/.*$', '\2') AS host, avg(length(referrer)) AS longest, count(*) AS n, min(referrer) FROM visits WHERE referrer <> '' GROUP BY host HAVING count(*) > 100 ORDER BY longest DESC, host LIMIT 25`,
	"SELECT " + manySums(30) + " FROM visits",
	"SELECT engine, address, count(*) AS n, sum(refreshed), avg(width) FROM visits WHERE phrase <> '' GROUP BY engine, address ORDER BY n DESC, engine, address LIMIT 10",
	"SELECT view, address, count(*) AS n, sum(refreshed), avg(width) FROM visits GROUP BY view, address ORDER BY n DESC, view, address LIMIT 10",
	"SELECT url, count(*) AS n FROM visits GROUP BY url ORDER BY n DESC, url LIMIT 10",
	"SELECT 1, url, count(*) AS n FROM visits GROUP BY 1, url ORDER BY n DESC, url LIMIT 10",
	"SELECT address, address - 1, address - 2, count(*) AS n FROM visits GROUP BY address, address - 1, address - 2 ORDER BY n DESC, address LIMIT 10",
	"SELECT url, count(*) AS n FROM visits WHERE site = 0 AND day BETWEEN '2023-07-02' AND '2023-07-20' AND refreshed = 0 AND url <> '' GROUP BY url ORDER BY n DESC, url LIMIT 10",
	"SELECT title, count(*) AS n FROM visits WHERE site = 1 AND day BETWEEN '2023-07-02' AND '2023-07-20' AND refreshed = 0 AND title <> '' GROUP BY title ORDER BY n DESC, title LIMIT 10 OFFSET 100",
	"SELECT engine, phone, CASE WHEN engine = 0 AND phone = 0 THEN referrer ELSE '' END AS source, url, count(*) AS n FROM visits WHERE site = 0 AND day > '2023-07-02' GROUP BY engine, phone, source, url ORDER BY n DESC, engine, phone, source, url LIMIT 10 OFFSET 50",
	"SELECT day, second - second % 3600 AS hour, count(*), count(DISTINCT visitor) FROM visits WHERE site < 5 GROUP BY day, second - second % 3600 ORDER BY day, hour",
}

// manySums are sums of a column with so many numbers added.
func manySums(n int) string {
	sums := make([]string, n)
	for i := range sums {
		sums[i] = fmt.Sprintf("sum(width + %d)", i)
	}
	return strings.Join(sums, ", ")
}

// Queries are the questions.
func (v Visits) Queries() []Query {
	list := make([]Query, len(visitQueries))
	for i, sql := range visitQueries {
		list[i] = Query{Name: fmt.Sprintf("v%d", i+1), SQL: sql}
	}
	return list
}
