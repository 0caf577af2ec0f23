package store

// bitmap is an Arrow bitmap under construction: bit i is bit i%8 of byte i/8.
type bitmap struct {
	bytes []byte
	n     int
}

// bitmapBytes is the number of bytes that n bits take.
func bitmapBytes(n int) int { return (n + 7) / 8 }

// bitAt reads bit i.
func bitAt(bytes []byte, i int) bool { return bytes[i>>3]>>(i&7)&1 != 0 }

// append adds one bit.
func (b *bitmap) append(set bool) {
	if b.n&7 == 0 {
		b.bytes = append(b.bytes, 0)
	}
	if set {
		b.bytes[b.n>>3] |= 1 << (b.n & 7)
	}
	b.n++
}

// appendSet adds n bits that are set.
func (b *bitmap) appendSet(n int) {
	for n > 0 && b.n&7 != 0 {
		b.append(true)
		n--
	}
	for ; n >= 8; n -= 8 {
		b.bytes = append(b.bytes, 0xff)
		b.n += 8
	}
	for ; n > 0; n-- {
		b.append(true)
	}
}

// appendBits adds bits from … to-1 of src.
func (b *bitmap) appendBits(src []byte, from, to int) {
	if b.n&7 == 0 && from&7 == 0 {
		b.bytes = append(b.bytes, src[from>>3:bitmapBytes(to)]...)
		b.n += to - from
		if rest := b.n & 7; rest != 0 {
			b.bytes[len(b.bytes)-1] &= 1<<rest - 1
		}
		return
	}
	for i := from; i < to; i++ {
		b.append(bitAt(src, i))
	}
}
