package value

import (
	"errors"
	"math"
	"testing"
)

// wantCode checks the SQLSTATE of an error; empty: none.
func wantCode(t *testing.T, what string, err error, code string) {
	t.Helper()
	var e *Error
	if errors.As(err, &e) != (code != "") || code != "" && e.Code != code {
		t.Errorf("%s: error %v, want %q", what, err, code)
	}
}

func TestParseInt(t *testing.T) {
	tests := []struct {
		in   string
		bits int
		want int64
		code string
	}{
		{"0", 16, 0, ""}, {" -32768\t", 16, -32768, ""}, {"+7", 32, 7, ""}, {"010", 32, 10, ""},
		{"0x1F", 64, 0, CodeInvalidText}, {"-0b101", 64, 0, CodeInvalidText}, {"1_000", 32, 0, CodeInvalidText},
		{"-9223372036854775808", 64, math.MinInt64, ""},
		{"32768", 16, 0, CodeNumericOutOfRange}, {"9223372036854775808", 64, 0, CodeNumericOutOfRange},
		{"", 32, 0, CodeInvalidText}, {"1.5", 32, 0, CodeInvalidText}, {"--1", 32, 0, CodeInvalidText},
		{"9999", 16, 9999, ""}, {"999999999", 32, 999999999, ""}, {"2147483648", 32, 0, CodeNumericOutOfRange}, {"999999999999999999", 64, 999999999999999999, ""},
		{"9:", 32, 0, CodeInvalidText}, {"/9", 64, 0, CodeInvalidText}, {"1 2", 32, 0, CodeInvalidText}, {"_1", 32, 0, CodeInvalidText}, {"1__0", 32, 0, CodeInvalidText},
	}
	for _, tt := range tests {
		got, err := ParseInt(tt.in, tt.bits)
		wantCode(t, tt.in, err, tt.code)
		if got != tt.want {
			t.Errorf("%q: %d, want %d", tt.in, got, tt.want)
		}
	}
}

func TestParseFloat64(t *testing.T) {
	tests := []struct {
		in   string
		want float64
		code string
	}{
		{" 1.5e3 ", 1500, ""}, {"-.5", -0.5, ""}, {"-Infinity", math.Inf(-1), ""}, {"inf", math.Inf(1), ""},
		{"0e-999", 0, ""}, {"1e400", 0, CodeNumericOutOfRange}, {"1e-400", 0, CodeNumericOutOfRange},
		{"", 0, CodeInvalidText}, {"1x", 0, CodeInvalidText}, {"1_0", 0, CodeInvalidText},
	}
	for _, tt := range tests {
		got, err := ParseFloat64(tt.in)
		wantCode(t, tt.in, err, tt.code)
		if got != tt.want {
			t.Errorf("%q: %v, want %v", tt.in, got, tt.want)
		}
	}
	if f, err := ParseFloat64("NaN"); err != nil || !math.IsNaN(f) {
		t.Errorf("NaN: %v, %v", f, err)
	}
}

func TestParseBool(t *testing.T) {
	for in, want := range map[string]bool{
		"t": true, "TRUE": true, " yes ": true, "on": true, "1": true, "f": false, "fal": false, "n": false, "of": false, "0": false,
	} {
		if got, err := ParseBool(in); err != nil || got != want {
			t.Errorf("%q: %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "o", "2", "truer", "ja"} {
		_, err := ParseBool(in)
		wantCode(t, in, err, CodeInvalidText)
	}
}
