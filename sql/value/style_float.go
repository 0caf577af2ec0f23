package value

import "strconv"

// AppendFloat64 appends a number of double precision in a style.
func (st Style) AppendFloat64(dst []byte, f float64) []byte {
	if st.Floats == 0 || f-f != 0 {
		return AppendFloat64(dst, f)
	}
	return strconv.AppendFloat(dst, f, 'g', max(1, 16-int(st.Floats)), 64)
}

// AppendFloat32 appends a real in a style.
func (st Style) AppendFloat32(dst []byte, f float64) []byte {
	if st.Floats == 0 || f-f != 0 {
		return AppendFloat32(dst, f)
	}
	return strconv.AppendFloat(dst, f, 'g', max(1, 7-int(st.Floats)), 64)
}
