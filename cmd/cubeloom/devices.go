package main

import (
	"fmt"
	"io"
	goruntime "runtime"

	"github.com/cubeloom/cubeloom"
	"github.com/spf13/cobra"
)

// newDevices makes the command devices.
func newDevices() *cobra.Command {
	return &cobra.Command{
		Use:   "devices",
		Short: "List the devices of this machine and which of them queries run on",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "cpu     %d cores (%s)  runs every query\n", goruntime.NumCPU(), goruntime.GOARCH)
			gpus, reason := listGPUs()
			for i, gpu := range gpus {
				fmt.Fprintf(out, "gpu %d   %s\n", i, gpu)
			}
			if reason != "" {
				fmt.Fprintf(out, "gpu     none: %s\n", reason)
			}
			return describeCUDA(out)
		},
	}
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
