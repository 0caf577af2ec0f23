package value

import "strconv"

// FloatDigits is how many digits fewer than it takes to read a number back are written of
// double precision and real: 0 writes as many as that takes, n at most 16-n of double precision
// and 7-n of real, but always one.
type FloatDigits uint8

// FloatDigitsOf is what the setting extra_float_digits says.
func FloatDigitsOf(extra int) FloatDigits { return FloatDigits(max(0, 1-extra)) }

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
