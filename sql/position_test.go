package sql

import (
	"reflect"
	"regexp"
	"testing"
)

// startsWith says how the text begins at a node's position.
var startsWith = map[string]string{
	"Select":       `(?i)select|table`,
	"Query":        `(?i)select|values|table|with|\(`,
	"Values":       `(?i)values`,
	"SetOp":        `(?i)union|intersect|except`,
	"GroupBy":      `(?i)group`,
	"Cube":         `(?i)cube`,
	"Rollup":       `(?i)rollup`,
	"GroupingSets": `(?i)grouping sets`,
	"WindowSpec":   `\(|[a-z]`,
	"TableFile":    `'`,
	"DerivedTable": `\(`,
	"JoinExpr":     `(?i)join|inner|left|right|full|cross|natural`,
	"Literal":      `(?i)[0-9.'$]|e'|u&'|null|true|false|row|n'|for|[a-z"]`,
	"TypedLiteral": `(?i)[a-z"]`,
	"Star":         `\*|[a-zA-Z"]`,
	"Param":        `\$[0-9]`,
	"Unary":        `(?i)not|operator|[-+~!@|/]`,
	"Binary":       `(?i)and|or|operator|[-+*/<>=~!@#%^&|?]`,
	"Is":           `(?i)is|notnull`,
	"IsDistinct":   `(?i)is`,
	"Between":      `(?i)not|between`,
	"In":           `(?i)not|in`,
	"Like":         `(?i)not|like|ilike|similar|!?~~|operator`,
	"Case":         `(?i)case`,
	"Cast":         `(?i)cast|::`,
	"FuncCall":     `(?i)[a-z"]`,
	"Exists":       `(?i)exists`,
	"Subquery":     `\(|[-+*/<>=~!@]|(?i)like|not`,
	"Quantified":   `(?i)[<>=~!]|like|ilike|not`,
	"Row":          `(?i)row|\(`,
	"Array":        `(?i)array|\[`,
	"ArrayQuery":   `(?i)array`,
	"Subscript":    `\[`,
	"Collate":      `(?i)collate`,
	"Default":      `(?i)default`,
	"TypeName":     `(?i)[a-z"]`,
	"Option":       `(?i)[a-z]`,
	"Insert":       `(?i)insert|with`, "Update": `(?i)update|with`, "Delete": `(?i)delete|with`,
	"Truncate": `(?i)truncate`, "Lock": `(?i)lock`, "Comment": `(?i)comment`, "AlterTable": `(?i)alter`, "CreateTable": `(?i)create`, "CreateTableAs": `(?i)create`,
	"UniqueKey": `(?i)unique|primary`, "CheckDef": `(?i)check`,
	"CreateView": `(?i)create`, "CreateHierarchy": `(?i)create`, "Drop": `(?i)drop`, "Copy": `(?i)copy`, "Explain": `(?i)explain`,
	"CreateIndex": `(?i)create`, "RenameIndex": `(?i)alter`, "Reindex": `(?i)reindex`, "Maintain": `(?i)vacuum|analy[sz]e|checkpoint`, "RowLock": `(?i)for`,
	"Set": `(?i)set|reset`, "SetConstraints": `(?i)set`, "Show": `(?i)show`,
	"Transaction": `(?i)begin|start|commit|end|rollback|abort|savepoint|release|set`,
	"CreateRole":  `(?i)create`, "AlterRole": `(?i)alter`, "RenameRole": `(?i)alter`, "AlterRoleSet": `(?i)alter`,
	"DropRole": `(?i)drop`, "DropOwned": `(?i)drop`, "ReassignOwned": `(?i)reassign`, "GrantRole": `(?i)grant|revoke`,
	"Grant": `(?i)grant|revoke`, "DefaultPrivileges": `(?i)alter`, "AlterOwner": `(?i)alter`, "RenameSchema": `(?i)alter`,
	"RoleRef": `(?i)[a-z"]`, "RoleOption": `(?i)[a-z]`, "Privilege": `(?i)[a-z]`,
	"PartitionBy": `(?i)partition`, "PartitionKey": `(?i)\(|[a-z"]`, "PartitionBound": `(?i)default|in|from|with`, "AttachIndex": `(?i)alter`,
	"GroupExprs": `.`,
	"OnConflict": `(?i)on conflict`,
	"Identity":   `(?i)generated`, "CreateSequence": `(?i)create`, "CreateSchema": `(?i)create`, "CreateExtension": `(?i)create`, "AlterSequence": `(?i)alter`,
	"Ident": `(?i)[a-z_"]|[^\x00-\x7f]`,
}

// TestPositions parses the corpus behind some blanks and looks at what stands
// where each node says that it begins.
func TestPositions(t *testing.T) {
	patterns := map[string]*regexp.Regexp{}
	for name, p := range startsWith {
		patterns[name] = regexp.MustCompile("^(?:" + p + ")")
	}
	const blank = " \n "
	for _, text := range corpus(t) {
		text = blank + text
		stmt, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		walkPositions(reflect.ValueOf(stmt), func(node string, v reflect.Value) {
			pos := int(v.FieldByName("Pos").Int())
			switch v := v.Interface().(type) {
			case Ident:
				if v.Name == "" {
					return
				}
			case TypeName:
				if v.Name == "" {
					return
				}
			}
			if pos < len(blank) || pos >= len(text) || patterns[node] == nil || !patterns[node].MatchString(text[pos:]) {
				t.Errorf("%s\n%s at %d: %+v", text, node, pos, v.Interface())
			}
		})
	}
}

// walkPositions visits the structs that have a position.
func walkPositions(v reflect.Value, visit func(node string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			walkPositions(v.Elem(), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walkPositions(v.Index(i), visit)
		}
	case reflect.Struct:
		if v.FieldByName("Pos").IsValid() {
			visit(v.Type().Name(), v)
		}
		for i := range v.NumField() {
			walkPositions(v.Field(i), visit)
		}
	}
}

func TestMoveTo(t *testing.T) {
	e, err := ParseExpr("case when $1 in (1, a.b) then upper(cast(c as text)) else array[1 + 2]::text end")
	if err != nil {
		t.Fatal(err)
	}
	MoveTo(e, 77)
	walkPositions(reflect.ValueOf(e), func(node string, v reflect.Value) {
		if pos := v.FieldByName("Pos").Int(); pos != 77 {
			t.Errorf("%s is at %d", node, pos)
		}
	})
}

func TestErrorPositions(t *testing.T) {
	for text, want := range map[string]string{
		"select 1; selec 2":                                   `error 42601 at 10: syntax error at or near "selec"`,
		"select a from t where a = ":                          `error 42601 at 26: syntax error at end of input`,
		"select größe from täbelle wher":                      `select größe from täbelle as wher`,
		"select 'ö', from t":                                  `error 42601 at 13: syntax error at or near "from"`,
		"select $0":                                           `error 42601 at 7: there is no parameter $0`,
		"select $99999999":                                    `error 42601 at 7: there is no parameter $99999999`,
		"create table t (a int, unique (b))":                  `error 42703 at 23: column "b" named in key does not exist`,
		"create table t (a int primary key, primary key (a))": `error 42P16 at 35: multiple primary keys for table "t" are not allowed`,
	} {
		if got := outcome(text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestScript(t *testing.T) {
	text := " ; select 1 ; -- x\n;values (2) /* y */ ; begin"
	list, err := ParseScript(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []Parsed{{Text: "select 1", Offset: 3}, {Text: "values (2)", Offset: 20}, {Text: "begin", Offset: 41}}
	if len(list) != len(want) {
		t.Fatalf("%d statements, want %d", len(list), len(want))
	}
	for i, p := range list {
		if p.Text != want[i].Text || p.Offset != want[i].Offset {
			t.Errorf("%q at %d, want %q at %d", p.Text, p.Offset, want[i].Text, want[i].Offset)
		}
	}
}

func TestSplit(t *testing.T) {
	for text, want := range map[string][]ScriptPart{
		"":                        nil,
		" -- only\n;; /* x */ ":   nil,
		"select 1":                {{"select 1", 0, false}},
		"select ';' ; select $$;": {{"select ';'", 0, true}, {"select $$;", 13, false}},
		"a b;c /* ; */;":          {{"a b", 0, true}, {"c", 4, true}},
		"select /* ;":             {{"select /* ;", 0, false}},
		"select 'a":               {{"select 'a", 0, false}},
	} {
		got, err := Split(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v %v, want %v", text, got, err, want)
		}
	}
}

func TestOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"select 1;\n":                          "select 1;",
		"select a, -- the first\n  b\nfrom t;": "select a, b from t;",
		"select 'x'/* y\n */ 'z',  a.b;":       "select 'x' 'z',  a.b;",
		"select '--  kept', $$ -- too $$;":     "select '--  kept', $$ -- too $$;",
		"select 'two\nlines';":                 "",
		"select 'open":                         "",
	} {
		got, ok := OneLine(text)
		if got != want || ok != (want != "") {
			t.Errorf("%q: %q %v, want %q", text, got, ok, want)
		}
	}
}
