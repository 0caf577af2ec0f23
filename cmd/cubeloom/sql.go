package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// engineFlags are the flags of every command that opens a database.
type engineFlags struct {
	data        string
	threads     int
	memoryLimit string
	totalMemory string // of serve only
	minPassword int    // the same
	device      string
	devices     []int
	machine     string
	deviceLimit string
	lockedLimit string
	openBehind  bool // the first query waits for the device, and not open
}

// register adds the flags to cmd.
func (f *engineFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.data, "data", "", "directory that keeps the tables; without it they live in memory")
	cmd.Flags().IntVar(&f.threads, "threads", 0, "threads that work on a query (default: all cores)")
	cmd.Flags().StringVar(&f.memoryLimit, "memory-limit", "", "memory that one query may use, such as 512MB or 4GB, or 0 for no limit (default: three quarters of the machine's)")
	cmd.Flags().StringVar(&f.device, "device", "auto", "where groups run: auto, cpu or cuda")
	cmd.Flags().IntSliceVar(&f.devices, "devices", nil, "how many CUDA devices may be used, 0 for all of the machine, or the ordinals of several, such as 0,2; with 0,0 the first is opened as two, each with half of its memory")
	cmd.Flags().StringVar(&f.machine, "machine", machineFolder(), "folder of the figures that 'cubeloom bench machine' has measured, a file for each device")
	cmd.Flags().StringVar(&f.deviceLimit, "device-memory-limit", "", "memory of each CUDA device that may be used, such as 16GB (default: all)")
	cmd.Flags().StringVar(&f.lockedLimit, "page-locked-limit", "", "memory that may be page-locked to keep tables that do not fit a CUDA device, such as 16GB, or 0 for none (default: a quarter of the machine's)")
}

// open opens the database that the flags describe.
func (f *engineFlags) open() (*cubeloom.DB, error) {
	opts := cubeloom.Options{DataDir: f.data, Threads: f.threads, Device: f.device, MinPasswordLength: f.minPassword, OpenBehind: f.openBehind}
	switch len(f.devices) {
	case 0:
	case 1:
		opts.Devices = f.devices[0]
	default:
		opts.Ordinals = f.devices
	}
	for _, size := range []struct {
		flag, text string
		to         *int64
		none       int64 // what stands for 0
	}{
		{"--device-memory-limit", f.deviceLimit, &opts.DeviceMemoryLimit, 0}, {"--page-locked-limit", f.lockedLimit, &opts.PageLockedLimit, -1},
		{"--memory-limit", f.memoryLimit, &opts.MemoryLimit, -1}, {"--total-memory", f.totalMemory, &opts.TotalMemory, 0},
	} {
		if size.text == "" {
			continue
		}
		n, err := cubeloom.ParseBytes(size.flag, size.text)
		if err != nil {
			return nil, err
		}
		*size.to = cmp.Or(n, size.none)
	}
	if f.threads < 0 {
		return nil, fmt.Errorf("--threads must not be negative, got %d", f.threads)
	}
	if f.machine != "" {
		if err := machine.Calibrate(f.machine); err != nil {
			return nil, fmt.Errorf("--machine: %w", err)
		}
	}
	return cubeloom.Open(opts)
}

// machineFolder is where the files of calibrated figures are, unless a flag says
// otherwise: none where there is no folder of the user's.
func machineFolder() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "cubeloom", "machine")
}

// newSQL makes the command sql.
func newSQL() *cobra.Command {
	var engine engineFlags
	var commands, files []string
	var format string
	cmd := &cobra.Command{
		Use:   "sql",
		Short: "Run SQL, or open a prompt",
		Long: `Runs the statements of -c and -f in the order of the kinds (-c first), or those
on standard input, or opens a prompt when standard input is a terminal. A -c that
begins with a backslash is a command of the prompt, such as '\d'.

At the prompt, \? lists the commands that begin with a backslash.`,
		Example: `  cubeloom sql -c "SELECT count(*) FROM 'orders.parquet'"
  cubeloom sql --data ./db -f load.sql
  echo "SELECT 1" | cubeloom sql --format csv`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			defer sqlstate.Catch(&err)
			engine.openBehind = len(commands)+len(files) > 0
			db := sqlstate.Must(engine.open())
			defer db.Close()
			sh := sqlstate.Must(newShell(db, stdio(cmd), format))
			sh.runAll(cmd.Context(), commands, files)
			return nil
		},
	}
	engine.register(cmd)
	cmd.Flags().StringArrayVarP(&commands, "command", "c", nil, "run these statements and exit (may be repeated)")
	cmd.Flags().StringArrayVarP(&files, "file", "f", nil, "run the statements of this file and exit (may be repeated)")
	cmd.Flags().StringVar(&format, "format", "table", "how results are written: table, csv, json or arrow")
	return cmd
}

// runAll runs what the command line asks for.
func (s *shell) runAll(ctx context.Context, commands, files []string) {
	for _, text := range commands {
		if strings.HasPrefix(strings.TrimSpace(text), `\`) {
			s.meta(ctx, strings.TrimSpace(text))
			continue
		}
		sqlstate.Check(s.runText(ctx, text, "-c"))
	}
	for _, name := range files {
		text := sqlstate.Must(os.ReadFile(name))
		sqlstate.Check(s.runText(ctx, string(text), name))
	}
	if len(commands)+len(files) > 0 {
		return
	}
	if f, ok := s.io.in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		sqlstate.Check(s.prompt(ctx))
		return
	}
	text := sqlstate.Must(io.ReadAll(s.io.in))
	sqlstate.Check(s.runText(ctx, string(text), "standard input"))
}
