package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/cuda/driver"
	"github.com/cubeloom/cubeloom/tests/device"
	"github.com/cubeloom/cubeloom/tests/emulator"
	"github.com/cubeloom/cubeloom/tests/reference"
)

// A configuration is a way to run queries; the answers must not depend on it.
type configuration struct {
	name, about string
	settings    []string
	slow        bool // tables have few rows, and queries ten times as long
	devices     int  // CUDA devices
}

var configurations = []configuration{
	{"hash", "woven, two threads, joins by hashing", []string{"enable_mergejoin = off", "threads = 2"}, false, 0},
	{"merge", "joins by merging wherever rows are in order", []string{"enable_hashjoin = off", "threads = 2"}, false, 0},
	{"unwoven", "every operator's result materialized", []string{"fusion = off", "threads = 2"}, false, 0},
	{"single", "one thread, joins as they are estimated to be cheaper", []string{"threads = 1"}, false, 0},
	{"tiny", "vectors of one row", []string{"vector_rows = 1", "threads = 2"}, true, 0},
	{"device", "the CUDA device that CUBELOOM_TEST_DEVICE names: the emulated one unless it is cuda", []string{"device = cuda"}, true, 1},
	{"devices", "two of that device, which share the rows of kernels", []string{"device = cuda", "devices = 2"}, true, 2},
	{"exchange", "three of it, which exchange rows and groups", []string{"device = cuda", "devices = 3", "exchange_strategy = hash"}, true, 3},
}

// onDevices reports whether a configuration has devices.
func onDevices(name string) bool {
	return slices.ContainsFunc(configurations, func(c configuration) bool { return c.name == name && c.devices > 0 })
}

// plainest is the configuration that law agree compares with.
var plainest = []string{"fusion = off", "threads = 1", "enable_mergejoin = off", "device = cpu"}

// openDevice opens a device of the configurations with devices.
func openDevice(int) (cuda.Device, error) {
	if os.Getenv(device.Variable) == "cuda" {
		return driver.Open(driver.Options{})
	}
	return emulator.Open(emulator.Options{})
}

// An engine is a database in memory with a session of a configuration and a plain one.
type engine struct {
	db              *cubeloom.DB
	session, plain  *cubeloom.Session
	limit           time.Duration
	kernels, onHost int // that ran on the device, or on the CPU
	slowest         time.Duration
	slowestQuery    string
}

// memoryLimit is what a query may hold.
const memoryLimit = 512 << 20

func openEngine(c configuration, limit time.Duration) (*engine, error) {
	o := cubeloom.Options{Device: "cpu", Threads: 2, MemoryLimit: memoryLimit}
	if c.devices > 0 {
		o.Device, o.Devices, o.OpenDevice = "cuda", c.devices, openDevice
	}
	if c.slow {
		limit *= 10
	}
	db, err := cubeloom.Open(o)
	if err != nil {
		return nil, err
	}
	e := &engine{db: db, session: db.Session(), plain: db.Session(), limit: limit}
	for s, settings := range map[*cubeloom.Session][]string{e.session: c.settings, e.plain: plainest} {
		for _, text := range settings {
			if _, err := s.Query(context.Background(), "SET "+text); err != nil {
				return nil, err
			}
		}
	}
	return e, nil
}

// errHang is a query that does not end when it is cancelled.
var errHang = errors.New("the query does not end when it is cancelled")

// errTooLarge is an answer of more than maxRows rows, which are not read.
var errTooLarge = fmt.Errorf("more than %d rows", maxRows)

const maxRows = 500_000

// graceful is how long a query may take to end after it was cancelled.
const graceful = 10 * time.Second

// query runs one statement. A panic is an error, and so is a device that fails.
func (e *engine) query(ctx context.Context, sql string, plain bool) (*reference.Result, error) {
	s := e.session
	if plain {
		s = e.plain
	}
	ctx, cancel := context.WithTimeout(ctx, e.limit)
	defer cancel()
	type outcome struct {
		result *reference.Result
		err    error
	}
	done, begun := make(chan outcome, 1), time.Now()
	defer func() {
		if took := time.Since(begun); took > e.slowest {
			e.slowest, e.slowestQuery = took, sql
		}
	}()
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- outcome{nil, fmt.Errorf("panic: %v\n%s", p, debug.Stack())}
			}
		}()
		result, err := e.answer(ctx, s, sql)
		done <- outcome{result, err}
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-time.After(e.limit + graceful):
		return nil, errHang
	}
}

// answer runs one statement and reads its rows.
func (e *engine) answer(ctx context.Context, s *cubeloom.Session, sql string) (*reference.Result, error) {
	res, err := s.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	defer res.Close()
	if res.Rows() > maxRows {
		return nil, errTooLarge
	}
	for _, n := range res.Notices {
		if n.Severity == "WARNING" && strings.Contains(n.Message, "CUDA") {
			return nil, errors.New(n.Message)
		}
	}
	for _, place := range res.Stats.Places {
		if place.Backend.Name() == "cuda" {
			e.kernels++
		} else {
			e.onHost++
		}
	}
	return reference.Read(res)
}

// state is the SQLSTATE of an error of the engine.
func state(err error) string {
	var failure *cubeloom.Error
	if errors.As(err, &failure) {
		return failure.Code
	}
	return ""
}
