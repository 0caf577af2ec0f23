// Package dialect turns PostgreSQL's SQL into intermediate SQL: text that Vitess's
// MySQL grammar parses into the same query, and in which nothing that the user
// wrote stands literally.
//
// A lexer with PostgreSQL's rules cuts the text into tokens; a recursive
// descent over the tokens, with PostgreSQL's precedences, writes the intermediate SQL
// text. Names become `c12`, literals :l12, and the number counts the Placeholders that
// say what they stand for and where in the user's text. What MySQL has with
// the same meaning is written as MySQL has it, in parentheses:
//
//	(`c1` + :l2) collate `o3`
//
// where the COLLATE names the placeholder of the operator, the only place that MySQL's
// syntax has for one. What MySQL lacks, or reads otherwise, is a call whose
// name is its placeholder: `x4`(`c5`) is a cast, or a CUBE, or a window.
//
// Each placeholder occurs in the intermediate SQL exactly once. The reader of the parsed
// tree can therefore check that nothing was lost on the way.
//
// A syntax error is found here and is PostgreSQL's: its words, at the byte of
// the user's text. What PostgreSQL has and Cubeloom has not is refused here
// with 0A000.
package dialect
