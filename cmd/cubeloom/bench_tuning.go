package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/spaces"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/spf13/cobra"
)

// newBenchTuning makes the command bench tuning.
func newBenchTuning() *cobra.Command {
	var draw string
	var asJSON, model bool
	var seed uint64
	cmd := &cobra.Command{
		Use:   "tuning [FILE...]",
		Short: "Evaluate the tuner on recorded times",
		Long: `Reads files that 'cubeloom bench groupby --record' has written, in which every
configuration was measured, and has the tuner search them with those times; with --model
times that a model of a card has computed, which nobody has measured. Shows the
fastest configuration of each strategy, what the spaces look like, and of the searches
how good the configurations are that they find and what that takes:

  fastest             share of searches that found the fastest configuration
  at most 1 % slower  likewise, or one that is hardly slower
  worst               time of the worst one found, where that of the fastest is 1
  cost                blocks that could have been done more with the fastest (median)
  overhead            share of the time that the search takes itself (median)
  effort              share of the time that measuring all configurations takes (median)

Searches with s = 0 follow the gradient alone; the others see plateaus, as the paper has it;
frugal ones leave slow configurations soon, as those do that go on while queries run.`,
		Args: func(_ *cobra.Command, files []string) error {
			if len(files) == 0 && !model {
				return errors.New("name files, or ask for --model")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			var all []*spaces.Recording
			for _, file := range files {
				r, err := spaces.Read(file)
				if err != nil {
					return err
				}
				all = append(all, r)
			}
			if model {
				device := machine.Default().Device
				all = append(all, spaces.Model(&device, &machine.StandIn, modelledSpaces(), mostModelled, seed))
			}
			if draw != "" {
				return sqlstate.Run(func() { drawSpace(cmd.OutOrStdout(), all, draw) })
			}
			report := spaces.NewReport(all)
			if asJSON {
				return harness.WriteJSON(cmd.OutOrStdout(), report)
			}
			report.Print(cmd.OutOrStdout())
			return nil
		},
	}
	cmd.Flags().BoolVar(&model, "model", false, "evaluate computed times of the strategies of a device for 1 to 2^28 groups")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "of the variation of computed times")
	cmd.Flags().StringVar(&draw, "draw", "", "draw the times of one space and strategy instead, such as groups_1024/hash")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the result as JSON")
	return cmd
}

// modelledSpaces are those of a device without the rows that a thread holds, which the model does not know.
func modelledSpaces() []spaces.Part {
	parts := slices.Clone(deviceSpaces)
	for i := range parts {
		at := slices.IndexFunc(parts[i].Axes, func(a spaces.Axis) bool { return a.Name == rowAxis.Name })
		parts[i].Axes = slices.Delete(slices.Clone(parts[i].Axes), at, at+1)
		parts[i].Start = slices.Delete(slices.Clone(parts[i].Start), at, at+1)
	}
	return parts
}

// mostModelled is up to how many groups times are computed: the logarithm.
const mostModelled = 28

func drawSpace(out io.Writer, all []*spaces.Recording, name string) {
	space, strategy, _ := strings.Cut(name, "/")
	for _, r := range all {
		if p := r.Find(space, strategy); p != nil {
			p.Draw(out)
			return
		}
	}
	panic(fmt.Errorf("--draw: no file has measured %q: a space and a strategy, with a slash between them", name))
}
