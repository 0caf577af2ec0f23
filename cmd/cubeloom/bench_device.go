package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// remarks writes what of the query did not run on the device as it was to.
func (d *benchDevice) remarks(out io.Writer, name string) {
	if d == nil {
		return
	}
	if d.FellBack != "" {
		fmt.Fprintf(out, "%s: %s\n", name, d.FellBack)
	}
	for _, t := range d.Beside {
		what := fmt.Sprintf("%.2f ms, kernels %.3f", t.Query, t.Kernels)
		if t.Refused != "" {
			what = "refused: " + t.Refused
		}
		fmt.Fprintf(out, "%s with %s: %s\n", name, t.Settings, what)
	}
	if d.StreamedTime > 0 {
		fmt.Fprintf(out, "%s: streamed %s in %.2f ms, %s a second, the link busy for %.0f %% of it\n", name, formatBytes(d.StreamedBytes),
			d.StreamedTime, formatBytes(int64(float64(d.StreamedBytes)/d.StreamedTime*1000)), 100*d.LinkTime/d.StreamedTime)
	}
}

// measureDevice checks the device's answer, which came with notices, against the CPU's, times the
// CPU and asks for the time of the kernels alone.
func (b *benchmark) measureDevice(ctx context.Context, db *cubeloom.DB, q workload.Query, want answer, notices []cubeloom.Notice) *benchDevice {
	host, got := timeAnswer(ctx, db, "on", "cpu", q.SQL, b.Runs)
	if err := want.agree(got, q.Magnitude); err != nil {
		panic(fmt.Errorf("the answers of the device and the CPU differ: %w", err))
	}
	d := &benchDevice{CPU: harness.Milliseconds(host.time), groups: host.rows}
	for _, n := range notices {
		d.FellBack = n.Message
	}
	d.kernels(ctx, db, q.SQL, b.Runs)
	unwoven := b.timeBeside(ctx, db, q, "fusion = off", want)
	d.Unwoven = unwoven.Kernels
	for _, settings := range b.beside {
		d.Beside = append(d.Beside, *b.timeBeside(ctx, db, q, settings, want))
	}
	return d
}

// timeBeside times a query and its kernels on the device under other settings, separated by
// semicolons, and compares the answer.
func (b *benchmark) timeBeside(ctx context.Context, db *cubeloom.DB, q workload.Query, settings string, want answer) *besideTime {
	session, err := configured(ctx, db, "on", "cuda", strings.Split(settings, ";")...)
	sqlstate.Check(err)
	timed, err := timeIn(ctx, session, q.SQL, b.Runs)
	if e := new(value.Error); errors.As(err, &e) && e.Code == value.CodeFeatureNotSupported {
		return &besideTime{Settings: settings, Refused: e.Message}
	}
	sqlstate.Check(err)
	got, err := readAnswer(timed.res)
	timed.res.Close()
	if err == nil {
		err = want.agree(got, q.Magnitude)
	}
	sqlstate.Check(err)
	groups := sqlstate.Must(medianLaunches(ctx, session, q.SQL, b.Runs))
	sum, _ := kernelTime(groups)
	return &besideTime{Settings: settings, Query: harness.Milliseconds(timed.time), Kernels: harness.Milliseconds(sum), Entries: costsOf(groups)}
}

// kernels runs the query several times more and adds up the times of its launches.
func (d *benchDevice) kernels(ctx context.Context, db *cubeloom.DB, text string, runs int) {
	session := sqlstate.Must(configured(ctx, db, "on", "cuda"))
	groups := sqlstate.Must(medianLaunches(ctx, session, text, runs))
	sum, n := kernelTime(groups)
	d.Kernels, d.Launches, d.Entries = harness.Milliseconds(sum), n, costsOf(groups)
	for _, g := range groups {
		s := &g.Measured.Stream
		d.StreamedBytes += s.Bytes
		d.StreamedTime += harness.Milliseconds(s.Time)
		d.LinkTime += harness.Milliseconds(s.Link)
		d.Read += g.Measured.BytesRead
		for _, l := range g.Measured.Launches {
			if l.Bandwidth > 0 {
				d.Bound = float64(d.Read) / l.Bandwidth * 1e3
			}
		}
	}
}

// deviceHeader are the columns of a run on a device.
func deviceHeader(device string) string {
	if device != "cuda" {
		return ""
	}
	return "kernels ms\tunwoven\tlaunches\tread\tbound ms\tkernels/bound\twoven/bound\tcpu ms\tcpu/device\t"
}

// cells are the columns of a query beside its time on the device; nothing
// without a device.
func (d *benchDevice) cells(woven float64) string {
	if d == nil {
		return ""
	}
	bound := "–\t–\t–\t"
	if d.Bound > 0 {
		bound = fmt.Sprintf("%.3f\t%.2f\t%.2f\t", d.Bound, d.Kernels/d.Bound, woven/d.Bound)
	}
	return fmt.Sprintf("%.3f\t%.3f\t%d\t%s\t%s%.2f\t%.2f\t", d.Kernels, d.Unwoven, d.Launches, formatBytes(d.Read), bound, d.CPU, d.CPU/woven)
}
