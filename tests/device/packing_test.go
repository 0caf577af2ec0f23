package device

import "testing"

// Instructions as ptxas 12.4 has encoded them.
func TestPacks(t *testing.T) {
	for word, want := range map[uint64]bool{
		0x0000000f0c0c7803: true,  // P2R R12, PR, R12, 0xf
		0x00000004ff077803: false, // P2R R7, PR, RZ, 0x4
		0x0000007fff077803: false, // P2R R7, PR, RZ, 0x7f
		0x000000080c0c7810: false, // IADD3
	} {
		if got := packs(word); got != want {
			t.Errorf("%#x: %v", word, got)
		}
	}
}
