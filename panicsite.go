package cubeloom

import (
	"fmt"
	goruntime "runtime"
	"strings"
)

// panicSite names the function and line of ours where a recovered panic came
// from, for the error that reports it.
func panicSite() string {
	pcs := make([]uintptr, 64)
	frames := goruntime.CallersFrames(pcs[:goruntime.Callers(3, pcs)])
	seenPanic := false
	for {
		frame, more := frames.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			seenPanic = true
		case seenPanic && strings.HasPrefix(frame.Function, "github.com/cubeloom/cubeloom"):
			return fmt.Sprintf("%s (%s:%d)", frame.Function, frame.File[strings.LastIndexByte(frame.File, '/')+1:], frame.Line)
		}
		if !more {
			return ""
		}
	}
}
