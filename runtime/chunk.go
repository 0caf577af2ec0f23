package runtime

// IsValid reports whether row i is not NULL.
func (c *Chunk) IsValid(i int) bool {
	return c.Valid == nil || c.Valid[i>>3]&(1<<(i&7)) != 0
}

// Int is the integer, date, timestamp, narrow decimal or code of row i, which
// must not be NULL. It is for single values; loops over rows switch on Enc once.
func (c *Chunk) Int(i int) int64 {
	switch c.Enc {
	case EncU8:
		return int64(c.U8[i]) + c.Base
	case EncU16:
		return int64(c.U16[i]) + c.Base
	case EncU32:
		return int64(c.U32[i]) + c.Base
	case EncI64:
		return c.I64[i]
	}
	return c.Base
}
