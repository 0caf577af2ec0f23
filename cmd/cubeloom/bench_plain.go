package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/plain"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/runtime/cuda/driver"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// checkPlain reports whether plain kernels can be timed.
func (f *setFlags) checkPlain(device string) error {
	if f.plain && (!f.scattered || device != "cuda") {
		return errors.New("--plain needs --scattered and --device cuda")
	}
	return nil
}

// timePlain groups the rows of a load by kernels that can do nothing else.
func (d *benchDevice) timePlain(ctx context.Context, l load, runs int) {
	set := l.set.(workload.Groups)
	rows := &plain.Rows{Keys: make([]int64, 0, set.Rows), Values: make([]byte, 0, set.Rows)}
	want := plain.Answer{}
	err := set.Generate(ctx, workload.Options{Seed: l.seed}, func(_ string, rec arrow.Record) error {
		defer rec.Release()
		rows.Keys = append(rows.Keys, rec.Column(0).(*array.Int64).Int64Values()...)
		for _, v := range rec.Column(1).(*array.Int32).Int32Values() {
			rows.Values = append(rows.Values, byte(v))
			want.Sum += int64(v)
		}
		return nil
	})
	sqlstate.Check(err)
	want.Groups = d.groups
	device := sqlstate.Must(driver.Open(driver.Options{}))
	defer device.Close()
	best, err := plain.Run(ctx, device, rows, set.Groups, want, runs)
	if err != nil {
		panic(fmt.Errorf("plain kernels: %w", err))
	}
	d.Plain, d.PlainKernel = float64(best.Nanoseconds)/1e6, best.Kernel
}

// plainHeader are the columns of a run beside plain kernels.
func (b *benchmark) plainHeader() string {
	if !b.plain {
		return ""
	}
	return "plain ms\tkernels/plain\tplain kernel\t"
}

// plainCells are those of a query.
func (d *benchDevice) plainCells() string {
	if d == nil || d.Plain == 0 {
		return ""
	}
	return fmt.Sprintf("%.3f\t%.2f\t%s\t", d.Plain, d.Kernels/d.Plain, d.PlainKernel)
}
