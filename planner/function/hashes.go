package function

var hashes = []Function{
	{Name: "hashint2extended", Text: "The 64-bit hash of a smallint with a seed.", Example: "hashint2extended(1::smallint, 0)", Answer: "-3670598878359251130", Signatures: routine("hashint2extended")},
	{Name: "hashint4extended", Text: "The 64-bit hash of an integer with a seed.", Example: "hashint4extended(1, 0)", Answer: "-3670598878359251130", Signatures: routine("hashint4extended")},
	{Name: "hashint8extended", Text: "The 64-bit hash of a bigint with a seed.", Example: "hashint8extended(1, 0)", Answer: "-3670598878359251130", Signatures: routine("hashint8extended")},
	{Name: "hashfloat4extended", Text: "The 64-bit hash of a real with a seed.", Example: "hashfloat4extended(1::real, 0)", Answer: "4033440226552636220", Signatures: routine("hashfloat4extended")},
	{Name: "hashfloat8extended", Text: "The 64-bit hash of a double precision with a seed.", Example: "hashfloat8extended(1, 0)", Answer: "4033440226552636220", Signatures: routine("hashfloat8extended")},
	{Name: "hashtextextended", Text: "The 64-bit hash of a text with a seed.", Example: "hashtextextended('a', 0)", Answer: "3591986179850072241", Signatures: routine("hashtextextended")},
	{Name: "hash_numeric_extended", Text: "The 64-bit hash of a numeric with a seed.", Example: "hash_numeric_extended(1, 0)", Answer: "-7507508252608306360", Signatures: routine("hash_numeric_extended")},
	{Name: "uuid_hash_extended", Text: "The 64-bit hash of a uuid with a seed.", Example: "uuid_hash_extended('00000000-0000-0000-0000-000000000001', 0)", Answer: "3419970005924668665", Signatures: routine("uuid_hash_extended")},
	{Name: "timestamp_hash_extended", Text: "The 64-bit hash of a timestamp with a seed.", Example: "timestamp_hash_extended('2024-01-01', 0)", Answer: "3044968012046716599", Signatures: routine("timestamp_hash_extended")},
	{Name: "time_hash_extended", Text: "The 64-bit hash of a time with a seed.", Example: "time_hash_extended('12:00', 0)", Answer: "-3525066929231004802", Signatures: routine("time_hash_extended")},
	{Name: "partition_remainder", Text: "What is left by a modulus of the hashes of keys, as the text of an array, put together as partitions by hash have it.", Example: "partition_remainder('{1,2}', 4)", Answer: "2", Signatures: routine("partition_remainder")},
}
