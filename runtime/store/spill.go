package store

// spill hands the new blocks that are in memory to the storage once there are
// enough of them; the last one stays, since more may be merged into it.
func (a *Appender) spill() error {
	if a.storage == nil {
		return nil
	}
	a.spilled = min(a.spilled, len(a.blocks))
	last := len(a.blocks) - 1
	var bytes int64
	for i := a.spilled; i < last; i++ {
		bytes += a.blocks[i].bytes()
	}
	if bytes < a.storage.SpillBytes() {
		return nil
	}
	var out []StoredBlock
	var at []int
	for i := a.spilled; i < last; i++ {
		if b := &a.blocks[i]; b.file == nil {
			out = append(out, StoredBlock{Rows: b.rows, Cols: b.cols})
			at = append(at, i)
		}
	}
	out, err := a.storage.Spill(out)
	if err != nil {
		return err
	}
	for k, b := range out {
		a.blocks[at[k]] = block{rows: b.Rows, cols: b.Cols, file: b.File, at: b.At}
	}
	a.spilled = last
	return nil
}

// bytes is the size of a block in memory; 0 where it is in a file.
func (b *block) bytes() int64 {
	if b.file != nil {
		return 0
	}
	var n int64
	for _, c := range b.cols {
		n += chunkBytes(c)
	}
	return n
}
