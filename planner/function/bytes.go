package function

var binaries = []Function{
	{Name: "encode", Text: "The bytes in the format hex, base64 or escape.", Example: "encode('\\x1234', 'base64')", Answer: "EjQ=", Signatures: routine("encode")},
	{Name: "decode", Text: "The bytes that the text stands for in the format hex, base64 or escape.", Example: "decode('EjQ=', 'base64')", Answer: `\x1234`, Signatures: routine("decode")},
	{Name: "convert_to", Volatility: Stable, Text: "The bytes of the text in an encoding, of which there is UTF8.", Example: "convert_to('é', 'UTF8')", Answer: `\xc3a9`, Signatures: routine("convert_to")},
	{Name: "convert_from", Volatility: Stable, Text: "The text whose bytes in an encoding, of which there is UTF8, are given.", Example: "convert_from('\\xc3a9', 'UTF8')", Answer: "é", Signatures: routine("convert_from")},
	{Name: "get_byte", Text: "The byte with a number, from 0 on.", Example: "get_byte('\\x1234', 1)", Answer: "52", Signatures: routine("get_byte")},
	{Name: "set_byte", Text: "The bytes with another one in the place of that with a number.", Example: "set_byte('\\x1234', 1, 255)", Answer: `\x12ff`, Signatures: routine("set_byte")},
	{Name: "bit_count", Text: "The number of bits that are set.", Example: "bit_count('\\x1234'::bytea)", Answer: "5", Signatures: routine("bit_count")},
	{Name: "get_bit", Text: "The bit with a number, from 0, the least of the first byte, on.", Example: "get_bit('\\x1234'::bytea, 1)", Answer: "1", Signatures: routine("get_bit")},
	{Name: "set_bit", Text: "The bytes with another bit in the place of that with a number.", Example: "set_bit('\\x1234'::bytea, 0, 1)", Answer: `\x1334`, Signatures: routine("set_bit")},
	{Name: "sha224", Text: "The SHA-224 hash of the bytes.", Example: "length(sha224('abc'))", Answer: "28", Signatures: routine("sha224")},
	{Name: "sha256", Text: "The SHA-256 hash of the bytes.", Example: "encode(sha256('abc'), 'base64')", Answer: "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=", Signatures: routine("sha256")},
	{Name: "sha384", Text: "The SHA-384 hash of the bytes.", Example: "length(sha384('abc'))", Answer: "48", Signatures: routine("sha384")},
	{Name: "sha512", Text: "The SHA-512 hash of the bytes.", Example: "length(sha512('abc'))", Answer: "64", Signatures: routine("sha512")},
}
