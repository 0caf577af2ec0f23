package driver

import "slices"

// ended notes that all kernels that were launched have ended.
func (s *stream) ended() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.launched = s.launched[:0]
}

// note remembers a kernel that is launched.
func (s *stream) note(f *function) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.launched, f) {
		s.launched = append(s.launched, f)
	}
}
