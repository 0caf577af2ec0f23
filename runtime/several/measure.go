package several

import (
	"slices"

	"github.com/cubeloom/cubeloom/runtime"
)

// measure adds what devices have cost that ran at the same time: the times of the slowest, and
// the rows and bytes of all.
func (r *run) measure(at []int, all []runtime.Metrics) {
	slowest := 0
	for k := range all {
		if all[k].Time > all[slowest].Time {
			slowest = k
		}
	}
	m := &r.metrics
	m.RowsOut, m.BytesWritten = 0, 0
	for k := range all {
		one := &all[k]
		if !r.derived {
			m.RowsIn += one.RowsIn
		}
		m.RowsOut += one.RowsOut
		m.BytesRead += one.BytesRead
		m.BytesWritten += one.BytesWritten
		m.BlocksSkipped += one.BlocksSkipped
		m.DevicePeak = max(m.DevicePeak, one.DevicePeak)
		m.RoomWait = max(m.RoomWait, one.RoomWait)
		m.Stream.Add(&one.Stream)
		r.sharing.Bytes += one.FromPeers
		r.share(r.backend.members[at[k]].ordinal, one)
	}
	m.Host.Add(&all[slowest].Host)
	r.tell(&all[slowest])
}

// share adds what one device did.
func (r *run) share(ordinal int, one *runtime.Metrics) {
	k := slices.IndexFunc(r.sharing.Shares, func(s runtime.Share) bool { return s.Device == ordinal })
	if k < 0 {
		k = len(r.sharing.Shares)
		r.sharing.Shares = append(r.sharing.Shares, runtime.Share{Device: ordinal})
	}
	if !r.derived {
		r.sharing.Shares[k].Rows += one.RowsIn
	}
	if one.Device != nil {
		r.sharing.Shares[k].Kernels += one.Device.Kernels()
	}
}

// tell adds what EXPLAIN shows of the slowest of several devices.
func (r *run) tell(one *runtime.Metrics) {
	m := &r.metrics
	if m.Forms = append(m.Forms, one.Forms...); one.Taken != "" && m.Taken == "" {
		m.Taken = one.Taken
	}
	switch {
	case one.Device == nil:
	case m.Device == nil:
		own := *one.Device
		m.Device = &own
	default:
		m.Device.Texts = append(slices.Clip(m.Device.Texts), one.Device.Texts...)
		m.Device.Launches = append(slices.Clip(m.Device.Launches), one.Device.Launches...)
		m.Device.Additions.Rows += one.Device.Additions.Rows
		m.Device.Additions.Made += one.Device.Additions.Made
	}
}

// say adds how rows have come together.
func (r *run) say(exchange string) {
	if r.sharing.Exchange != "" {
		exchange = r.sharing.Exchange + "; " + exchange
	}
	r.sharing.Exchange = exchange
}
