package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate"
)

// allTables is the name for all of thesisTables.
const allTables = "all"

// thesisTables are the ways of the tables and appendices of Meinke 2015: kernels launched for every page of
// cells beside the loop of threads, all adding to cells in global memory, and beside both what is done today.
// Only those whose names begin with one of some texts are listed.
func thesisTables(only []string) []olapWay {
	const pages = 4096 // rows, where they are not what a table compares
	var all []olapWay
	add := func(table, form, pages, aggregate, preaggregated, replicas string) {
		all = append(all, olapWay{Table: table, Form: form, Pages: pages, Aggregate: aggregate, Preaggregate: preaggregated, Replicas: replicas})
	}
	for _, name := range preaggregate.Names() {
		add("5.2 to 5.4", "loop", "", "shared", name, autoForm)
	}
	for _, name := range []string{"none", "strided"} {
		add("5.5 dynamic", "children", fmt.Sprint(pages), "shared", name, autoForm)
		add("5.6 one block", "children", fmt.Sprintf("%d blocks 1", pages), "shared", name, autoForm)
		add("5.8 segments", "children", fmt.Sprintf("%d segment 2048", pages), "shared", name, autoForm)
	}
	for _, rows := range []int{768, 4096, 16 << 10, 64 << 10} {
		add("C page size", "children", fmt.Sprint(rows), autoForm, autoForm, autoForm)
		add("C one block", "children", fmt.Sprintf("%d blocks 1", rows), autoForm, autoForm, autoForm)
	}
	add("C bounded", "children", fmt.Sprintf("%d blocks 8", pages), autoForm, autoForm, autoForm)
	for _, n := range []int{1, 4, 16, 64, 256, 1024, 4096, 12288} {
		add("E replicas", "loop", "", "shared", "none", fmt.Sprint(n))
	}
	for _, form := range []string{"loop", "block", "grid", "children", autoForm} {
		add("today", form, "", autoForm, autoForm, autoForm)
	}
	for _, n := range []int{128, 256, 512, 1024} {
		threads := fmt.Sprint(n)
		for _, form := range []string{"loop", "children"} {
			all = append(all, olapWay{Table: "blocks of threads", Form: form, Aggregate: "shared", Preaggregate: "none", Replicas: autoForm, Threads: threads})
		}
		all = append(all, olapWay{Table: "blocks of threads", Form: autoForm, Aggregate: autoForm, Preaggregate: autoForm, Replicas: autoForm, Threads: threads})
	}
	return slices.DeleteFunc(all, func(w olapWay) bool {
		return !slices.ContainsFunc(only, func(name string) bool { return name == allTables || strings.HasPrefix(w.Table, name) })
	})
}
