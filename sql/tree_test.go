package sql

import "testing"

func TestTree(t *testing.T) {
	stmt, err := Parse("select count(*) as n from s.t where b > 'x' group by a")
	if err != nil {
		t.Fatal(err)
	}
	const want = `Query @0
  Body: Select @0
    Items 1: SelectItem
      Expr: FuncCall @7
        Name 1: count @7
        Star: true
      Alias: n @19
    From 1: TableName
      Name 1: s @26
      Name 2: t @28
    Where: Binary @38
      Op: ">"
      L: ColumnRef
        Name 1: b @36
      R: Literal @40
        Kind: 4
        Text: "x"
    GroupBy: GroupBy @44
      Elements 1: GroupExprs @53
        Exprs 1: ColumnRef
          Name 1: a @53
`
	if got := Tree(stmt); got != want {
		t.Errorf("got\n%s", got)
	}
}
