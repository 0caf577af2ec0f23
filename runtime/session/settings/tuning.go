package settings

import (
	"strconv"
	"strings"
)

// switches are those of PostgreSQL's planner, with their defaults: which of its plans
// they leave out is nothing to the plans of this engine.
const switches = `enable_async_append=on enable_bitmapscan=on enable_gathermerge=on enable_hashagg=on
enable_incremental_sort=on enable_indexonlyscan=on enable_indexscan=on enable_material=on enable_memoize=on
enable_nestloop=on enable_parallel_append=on enable_parallel_hash=on enable_partition_pruning=on
enable_partitionwise_aggregate=off enable_partitionwise_join=off enable_seqscan=on enable_sort=on enable_tidscan=on
geqo=on jit=off parallel_leader_participation=on track_activities=on track_counts=on track_io_timing=off`

// counts are whole numbers that its planner and its processes go by: name, default, least and greatest.
const counts = `backend_flush_after 0 0 256
commit_siblings 5 0 1000
default_statistics_target 100 1 10000
effective_io_concurrency 1 0 1000
from_collapse_limit 8 1 2147483647
geqo_effort 5 1 10
geqo_generations 0 0 2147483647
geqo_pool_size 0 0 2147483647
geqo_threshold 12 2 2147483647
join_collapse_limit 8 1 2147483647
maintenance_io_concurrency 10 0 1000
max_parallel_maintenance_workers 2 0 1024
max_parallel_workers 8 0 1024
max_parallel_workers_per_gather 2 0 1024
vacuum_cost_limit 200 1 10000
vacuum_freeze_min_age 50000000 0 1000000000
vacuum_freeze_table_age 150000000 0 2000000000`

// factors are numbers of its planner: name, default, least and greatest.
const factors = `cpu_index_tuple_cost 0.005 0 1.79769e+308
cpu_operator_cost 0.0025 0 1.79769e+308
cpu_tuple_cost 0.01 0 1.79769e+308
cursor_tuple_fraction 0.1 0 1
geqo_seed 0 0 1
geqo_selection_bias 2 1.5 2
hash_mem_multiplier 2 1 1000
jit_above_cost 100000 -1 1.79769e+308
jit_inline_above_cost 500000 -1 1.79769e+308
jit_optimize_above_cost 500000 -1 1.79769e+308
parallel_setup_cost 1000 0 1.79769e+308
parallel_tuple_cost 0.1 0 1.79769e+308
random_page_cost 4 0 1.79769e+308
recursive_worktable_factor 10 0.001 1e+06
seq_page_cost 1 0 1.79769e+308
vacuum_cost_delay 0 0 100`

// amounts are those of its memory and files: name, default, the kB of a number without a unit, the least and
// the greatest in these.
const amounts = `effective_cache_size 4GB 8 1 2147483647
gin_pending_list_limit 4MB 1 64 2147483647
logical_decoding_work_mem 64MB 1 64 2147483647
maintenance_work_mem 64MB 1 1024 2147483647
max_stack_depth 2MB 1 100 2147483647
min_parallel_index_scan_size 512kB 8 0 715827882
min_parallel_table_scan_size 8MB 8 0 715827882
temp_buffers 8MB 8 100 1073741823
wal_skip_threshold 2MB 1 0 2147483647
work_mem 4MB 1 64 2147483647`

// words are settings of its planner and of how it keeps rows: name, default, and the others.
const words = `compute_query_id auto on off regress
constraint_exclusion partition on off
default_toast_compression pglz lz4
plan_cache_mode auto force_generic_plan force_custom_plan`

// tuningSettings are the settings by which PostgreSQL's plans and memory are tuned, which scripts and
// dumps set. They are checked, kept and shown, and have no effect: what stands for them here has a name of its own.
func tuningSettings() (all []ClientSetting) {
	for s := range strings.FieldsSeq(switches) {
		name, text, _ := strings.Cut(s, "=")
		all = append(all, ClientSetting{name, text, false, CheckSwitch})
	}
	for f := range fieldsOfLines(counts) {
		all = append(all, ClientSetting{f[0], f[1], false, checkCount(f[2], f[3])})
	}
	for f := range fieldsOfLines(factors) {
		all = append(all, ClientSetting{f[0], f[1], false, checkFactor(f[2], f[3])})
	}
	for f := range fieldsOfLines(amounts) {
		all = append(all, ClientSetting{f[0], f[1], false, checkAmount(f[2], f[3], f[4])})
	}
	for f := range fieldsOfLines(words) {
		all = append(all, ClientSetting{f[0], f[1], false, oneOf(f[1:]...)})
	}
	return all
}

// fieldsOfLines returns the fields of each line.
func fieldsOfLines(text string) func(func([]string) bool) {
	return func(yield func([]string) bool) {
		for line := range strings.Lines(text) {
			if !yield(strings.Fields(line)) {
				return
			}
		}
	}
}

// mustFloat reads a number of the tables above.
func mustFloat(text string) float64 {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return f
}

func checkCount(lo, hi string) check {
	least, greatest := mustFloat(lo), mustFloat(hi)
	return func(name, text string) (string, error) {
		var n int
		err := setInt(name, &n, strings.TrimSpace(text), int(least), int(greatest))
		return strconv.Itoa(n), err
	}
}

func checkFactor(lo, hi string) check {
	least, greatest := mustFloat(lo), mustFloat(hi)
	return valid(func(text string) (string, bool) {
		f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		return strconv.FormatFloat(f, 'g', -1, 64), err == nil && f >= least && f <= greatest
	})
}

// checkAmount takes an amount of memory, and writes it in the largest unit that makes a whole number.
func checkAmount(kb, lo, hi string) check {
	base := int64(mustFloat(kb))
	least, greatest := base*int64(mustFloat(lo)), base*int64(mustFloat(hi))
	return valid(func(text string) (string, bool) {
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err == nil && n >= 0 && n <= greatest {
			n *= base
		} else if n, err = ParseBytes("", text); err == nil {
			n >>= 10
		}
		return showAmount(n), err == nil && n >= least && n <= greatest
	})
}

// showAmount writes kilobytes in the largest unit that makes a whole number, as PostgreSQL does.
func showAmount(kb int64) string {
	if kb == 0 {
		return "0"
	}
	for _, u := range []unit{{"TB", 1 << 30}, {"GB", 1 << 20}, {"MB", 1 << 10}} {
		if kb%u.factor == 0 {
			return strconv.FormatInt(kb/u.factor, 10) + u.suffix
		}
	}
	return strconv.FormatInt(kb, 10) + "kB"
}
