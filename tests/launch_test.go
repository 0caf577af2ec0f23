package tests

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
	"github.com/cubeloom/cubeloom/tests/reference"
	"github.com/cubeloom/cubeloom/tests/slt"
)

// planEngine runs statements on a device that computes nothing, and looks only at whether
// the launch plans of their kernels are well formed.
type planEngine struct {
	engine
	t       *testing.T
	kernels int
}

// Query runs one statement. Its answer is of no worth; where it recurses for ever without
// the rows that would end it, it is stopped.
func (e *planEngine) Query(ctx context.Context, sql string) (*reference.Result, error) {
	ctx, stop := context.WithTimeout(ctx, 2*time.Second)
	defer stop()
	res, err := e.session.Query(ctx, sql)
	if err != nil {
		if strings.Contains(err.Error(), "launch plan") {
			e.t.Errorf("%s\n%v", sql, err)
		}
		return nil, err
	}
	for _, place := range res.Stats.Places {
		if place.Backend.Name() == "cuda" {
			e.kernels++
		}
	}
	return reference.Read(res)
}

// TestLaunchPlansAreWellFormed renders the kernels of every file of SQL statements, and
// carries their launch plans out on a device that does nothing: the check of all plans
// that takes no compiler.
func TestLaunchPlansAreWellFormed(t *testing.T) {
	for _, path := range sltFiles(t) {
		file, err := slt.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			db, err := cubeloom.Open(cubeloom.Options{
				Device: "cuda", Devices: 1, OpenDevice: func(int) (cuda.Device, error) { return &device.Null{}, nil },
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			})
			e := &planEngine{engine: engine{db, db.Session()}, t: t}
			file.Check(context.Background(), e, true, func(string) {}) // the answers are wrong
			t.Logf("%d kernels", e.kernels)
		})
	}
}
