package value

// Round rounds n half away from zero to scale digits after the point, which
// may be negative; a larger scale appends zeros.
func (n Num) Round(scale int) (Num, error) { return n.toScale(scale, true) }

// Trunc cuts n toward zero to scale digits after the point, which may be
// negative; a larger scale appends zeros.
func (n Num) Trunc(scale int) (Num, error) { return n.toScale(scale, false) }

func (n Num) toScale(scale int, round bool) (Num, error) {
	neg := n.Coef.Hi < 0
	u := n.Coef.magnitude()
	if k := scale - int(n.Scale); k >= 0 {
		if u.isZero() {
			return makeNum(false, u, scale)
		}
		hi, lo, ok := mulPow10(u, k)
		if !ok || !hi.isZero() {
			return Num{}, errNumOverflow()
		}
		return makeNum(neg, lo, scale)
	}
	u = quoPow10(u, int(n.Scale)-scale, round)
	if scale >= 0 {
		return makeNum(neg, u, scale)
	}
	if u.isZero() {
		return Num{}, nil
	}
	hi, lo, ok := mulPow10(u, -scale)
	if !ok || !hi.isZero() {
		return Num{}, errNumOverflow()
	}
	return makeNum(neg, lo, 0)
}

// quoPow10 is u/10^k, for k > 0, cut or rounded half up.
func quoPow10(u uint128, k int, round bool) uint128 {
	if k > MaxDigits {
		return uint128{} // u is below 10^39/2
	}
	quo, rem := u.quoRem(pow10[k])
	if round && !rem.less(pow10[k].sub(rem)) {
		quo = quo.add(uint128{lo: 1})
	}
	return quo
}

// Floor is the largest integer not above n, at scale 0.
func (n Num) Floor() (Num, error) { return n.toInteger(n.Coef.Hi < 0) }

// Ceil is the smallest integer not below n, at scale 0.
func (n Num) Ceil() (Num, error) { return n.toInteger(n.Coef.Hi >= 0) }

// toInteger cuts n toward zero, or rounds it away from zero if away.
func (n Num) toInteger(away bool) (Num, error) {
	u := n.Coef.magnitude()
	var rem uint128
	switch {
	case n.Scale > MaxDigits:
		u, rem = uint128{}, u
	case n.Scale > 0:
		u, rem = u.quoRem(pow10[n.Scale])
	}
	if away && !rem.isZero() {
		u = u.add(uint128{lo: 1})
	}
	return makeNum(n.Coef.Hi < 0, u, 0)
}
