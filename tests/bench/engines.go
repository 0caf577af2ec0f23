package main

import (
	"context"
	"fmt"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// engineNames are the values of --engine.
var engineNames = []string{"duckdb", "clickhouse", "cubeloom", "unwoven", "late"}

// defaultEngines run where nothing else is asked for.
var defaultEngines = engineNames[:4]

// cubeloomName starts the names of Cubeloom's configurations.
const cubeloomName = "Cubeloom"

// opened holds the engines in the order of --engine.
type opened struct {
	engines    []Engine
	clickhouse []bool // which of them is ClickHouse
}

func open(o *options) (*opened, error) {
	all := &opened{}
	for _, name := range o.engines {
		e, err := all.open(name, o)
		if err != nil {
			all.close()
			return nil, err
		}
		all.engines = append(all.engines, e)
		all.clickhouse = append(all.clickhouse, name == "clickhouse")
	}
	return all, nil
}

func (a *opened) open(name string, o *options) (Engine, error) {
	switch name {
	case "duckdb":
		return openDuckDB(o.libraries, o.threads)
	case "clickhouse":
		return openClickHouse(o.libraries, o.threads)
	}
	_, variant := variants[name]
	for _, e := range a.engines {
		if l, isLoom := e.(*loom); isLoom && variant {
			return l.variant(name, o.vector)
		}
	}
	if variant {
		return nil, fmt.Errorf("the engine %s follows cubeloom", name)
	}
	return openCubeloom(o.threads, o.vector)
}

// of lists the engines that take part in a suite.
func (a *opened) of(s Suite) []Engine {
	var used []Engine
	for i, e := range a.engines {
		if s.ClickHouse || !a.clickhouse[i] {
			used = append(used, e)
		}
	}
	return used
}

func (a *opened) close() {
	for _, e := range a.engines {
		e.Close()
	}
}

func load(ctx context.Context, e Engine, set workload.Set, o *options) error {
	return e.Load(ctx, set, workload.Options{Seed: o.seed, Threads: o.threads})
}

func unload(ctx context.Context, e Engine, set workload.Set) error {
	for _, t := range set.Tables() {
		if err := e.Drop(ctx, t.Name); err != nil {
			return err
		}
	}
	return nil
}
