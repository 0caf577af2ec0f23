package main

import (
	"context"
	"fmt"
	"io"
	goruntime "runtime"
	"slices"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/spf13/cobra"
)

// newDevices makes the command devices.
func newDevices() *cobra.Command {
	var prepare bool
	var archs []string
	cmd := &cobra.Command{
		Use:   "devices",
		Short: "List the devices of this machine, the links between them, and which of them queries run on",
		Long: `Lists the devices of this machine, the links between them, and which of them queries run on.

With --prepare it builds, on all cores, the machine code of the kernels that were compiled here
before and that the cache does not hold for NVRTC as it is now and the devices that there are: after
a new CUDA or with another GPU the first queries then find their kernels. --arch builds for
architectures such as sm_90, which needs no GPU. The cache lies in the user's cache folder.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := cmd.OutOrStdout()
			if prepare || len(archs) > 0 {
				return prepareKernels(cmd.Context(), out, archs)
			}
			fmt.Fprintf(out, "cpu     %d cores (%s)  runs every query\n", goruntime.NumCPU(), goruntime.GOARCH)
			gpus, links, reason := listGPUs()
			for i, gpu := range gpus {
				fmt.Fprintf(out, "gpu %d   %s\n", i, gpu)
			}
			for _, link := range links {
				fmt.Fprintf(out, "link    %s\n", link)
			}
			if reason != "" {
				fmt.Fprintf(out, "gpu     none: %s\n", reason)
			}
			return describeCUDA(out)
		},
	}
	cmd.Flags().BoolVar(&prepare, "prepare", false, "build the machine code of kernels ahead")
	cmd.Flags().StringSliceVar(&archs, "arch", nil, "architectures that --prepare builds for, such as sm_90 (default: those of the devices)")
	return cmd
}

// prepareKernels builds machine code for architectures, those of the devices where none is named.
func prepareKernels(ctx context.Context, out io.Writer, archs []string) (err error) {
	defer sqlstate.Catch(&err)
	if len(archs) == 0 {
		db := sqlstate.Must(cubeloom.Open(cubeloom.Options{}))
		defer db.Close()
		infos, _, err := db.CUDADevices()
		sqlstate.Check(err)
		for _, info := range infos {
			if !slices.Contains(archs, info.Arch) {
				archs = append(archs, info.Arch)
			}
		}
	}
	for _, arch := range archs {
		start := time.Now()
		did := sqlstate.Must(cubeloom.PrepareKernels(ctx, arch))
		fmt.Fprintf(out, "%s  %d modules built by NVRTC %s in %.1f s, %d were there\n", arch, did.Built, did.Compiler, time.Since(start).Seconds(), did.Kept)
	}
	return nil
}

// describeCUDA says which CUDA devices queries run on, or why there is none.
func describeCUDA(out io.Writer) error {
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	infos, missing, err := db.CUDADevices()
	if err != nil {
		fmt.Fprintf(out, "cuda    none: %v\n", err)
		return nil
	}
	for i, info := range infos {
		fmt.Fprintf(out, "cuda %d  %s, %s, %d multiprocessors, reads its memory at %.2f TB/s, gets %.1f GB/s from the host  runs what is quicker there, or all by SET device = cuda\n",
			i, info.Name, info.Arch, info.SMs, info.Bandwidth/1e12, info.HostLink/1e9)
	}
	if missing != nil {
		fmt.Fprintf(out, "cuda %d  none: %v\n", len(infos), missing)
	}
	return nil
}
