package value

import "math"

// Trigonometry in degrees is exact where its values are simple, as in PostgreSQL:
// it is scaled by what the functions in radians give at those places.
var (
	radian    = float64(math.Pi / 180) // rounded before it is multiplied
	sin30     = math.Sin(30 * radian)
	lessCos60 = 1 - math.Cos(60*radian)
	tan45     = sinFirst(45) / cosFirst(45)
	cot45     = cosFirst(45) / sinFirst(45)
	asinHalf  = math.Asin(0.5)
	acosHalf  = math.Acos(0.5)
	atanOne   = math.Atan(1)
)

var degreeRoutines = map[string][]Routine{
	"sind": angle(sind), "cosd": angle(cosd), "tand": angle(tand), "cotd": angle(cotd),
	"asind": arc(asind), "acosd": arc(acosd),
	"atand":  real1(func(x float64) float64 { return math.Atan(x) / atanOne * 45 }),
	"atan2d": {{Params: "ff", Result: 'f', Call: func(a []Value) (Value, error) { return floatValue(math.Atan2(a[0].F, a[1].F) / atanOne * 45), nil }}},
}

// smallSin is the sine of up to 30 degrees, smallCos the cosine of up to 60.
func smallSin(x float64) float64 { return math.Sin(x*radian) / sin30 / 2 }
func smallCos(x float64) float64 { return 1 - (1-math.Cos(x*radian))/lessCos60/2 }

// sinFirst and cosFirst are for the first quadrant.
func sinFirst(x float64) float64 {
	if x <= 30 {
		return smallSin(x)
	}
	return smallCos(90 - x)
}

func cosFirst(x float64) float64 {
	if x <= 60 {
		return smallCos(x)
	}
	return smallSin(90 - x)
}

// quadrant brings an angle into the first quadrant; odd, half and quarter are the
// signs that an odd function, and the halves above 180 and 90 degrees, have.
func quadrant(x float64) (first, odd, half, quarter float64) {
	x, odd, half, quarter = math.Mod(x, 360), 1, 1, 1
	if x < 0 {
		x, odd = -x, -1
	}
	if x > 180 {
		x, half = 360-x, -1
	}
	if x > 90 {
		x, quarter = 180-x, -1
	}
	return x, odd, half, quarter
}

func sind(x float64) float64 {
	x, odd, half, _ := quadrant(x)
	return odd * half * sinFirst(x)
}

func cosd(x float64) float64 {
	x, _, _, quarter := quadrant(x)
	return quarter * cosFirst(x)
}

func tand(x float64) float64 {
	x, odd, half, quarter := quadrant(x)
	return odd*half*quarter*(sinFirst(x)/cosFirst(x)/tan45) + 0 // never -0
}

func cotd(x float64) float64 {
	x, odd, half, quarter := quadrant(x)
	return odd*half*quarter*(cosFirst(x)/sinFirst(x)/cot45) + 0
}

func asinFirst(x float64) float64 {
	if x <= 0.5 {
		return math.Asin(x) / asinHalf * 30
	}
	return 90 - math.Acos(x)/acosHalf*60
}

func asind(x float64) float64 {
	if x < 0 {
		return -asinFirst(-x)
	}
	return asinFirst(x)
}

func acosd(x float64) float64 {
	switch {
	case x < 0:
		return 90 + asinFirst(-x)
	case x <= 0.5:
		return 90 - math.Asin(x)/asinHalf*30
	}
	return math.Acos(x) / acosHalf * 60
}
