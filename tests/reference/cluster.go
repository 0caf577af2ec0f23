package reference

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// makeCluster makes the directory data of a database cluster. initdb takes a second of a processor,
// so that it makes one for all tests, in the temporary folder, of which each gets a copy. What the
// programs said belongs to the error.
func makeCluster(ctx context.Context, bin, data string, attr *syscall.SysProcAttr) ([]byte, error) {
	model, err := modelCluster(bin)
	if err != nil {
		return nil, err
	}
	run := func(name string, args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Dir, cmd.SysProcAttr = filepath.Dir(data), attr
		out, err := cmd.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		return out, err
	}
	if _, err := os.Stat(model); err == nil {
		return run("cp", "-R", model, data)
	}
	out, err := run(filepath.Join(bin, "initdb"), "-D", data, "-U", "postgres",
		"-A", "trust", "--no-sync", "--locale=C.UTF-8", "--encoding=UTF8")
	if err != nil {
		return out, err
	}
	return nil, keepModel(data, model)
}

// modelCluster is where the cluster of the programs in bin lies once it is made.
func modelCluster(bin string) (string, error) {
	program, err := os.Stat(filepath.Join(bin, "initdb"))
	if err != nil {
		return "", err
	}
	hash := fnv.New64a()
	fmt.Fprintln(hash, bin, program.Size(), program.ModTime())
	// The server's user, who copies it, may be another one.
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("cubeloom-postgres-%d", os.Getuid()))
	return filepath.Join(dir, fmt.Sprintf("%x", hash.Sum64())), os.MkdirAll(dir, 0o711)
}

// keepModel copies a cluster to where others are copied from, unless another process was sooner.
func keepModel(data, model string) error {
	work, err := os.MkdirTemp(filepath.Dir(model), "build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	made := filepath.Join(work, "data")
	if out, err := exec.Command("cp", "-Rp", data, made).CombinedOutput(); err != nil {
		return fmt.Errorf("cp: %w\n%s", err, out)
	}
	if err := os.Rename(made, model); err != nil && !os.IsExist(err) {
		return err
	}
	return nil
}
