package tests

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
)

// updateFormats writes what the directories of the first formats hold to the files
// that those of all formats are compared with.
var updateFormats = flag.Bool("update-formats", false, "record what testdata/formats/1 and 2-roles hold")

// contentsOfFormats are queries that give all that testdata/formats/make.sql makes.
var contentsOfFormats = []string{
	`SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
		WHERE table_schema = 'public' AND table_name <> 'chars' ORDER BY table_name, ordinal_position`,
	`SELECT conname, contype FROM pg_constraint ORDER BY conname`,
	`SELECT viewname, definition FROM pg_views WHERE schemaname = 'public' ORDER BY viewname`,
	`SELECT * FROM every ORDER BY i`,
	`SELECT * FROM widths ORDER BY i64`,
	`SELECT * FROM empty`,
	`SELECT * FROM "Odd name" ORDER BY 1`,
	`SELECT * FROM facts ORDER BY id`,
	`SELECT * FROM totals ORDER BY grp`,
	`SELECT * FROM named ORDER BY x, y`,
}

// rolesOfFormats are queries that give all that testdata/formats/make-roles.sql makes.
var rolesOfFormats = []string{
	`SELECT rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls, rolconnlimit, rolpassword, rolvaliduntil FROM pg_authid ORDER BY oid`,
	`SELECT r.rolname, m.rolname, g.rolname, a.admin_option FROM pg_auth_members a JOIN pg_roles r ON r.oid = roleid JOIN pg_roles m ON m.oid = member JOIN pg_roles g ON g.oid = grantor ORDER BY 1, 2`,
	`SELECT rolname, setdatabase, setconfig FROM pg_db_role_setting JOIN pg_roles r ON r.oid = setrole ORDER BY 1, 2`,
	`SELECT relname, relkind, rolname, relacl FROM pg_class c JOIN pg_roles r ON r.oid = relowner WHERE relnamespace = 2200 ORDER BY relname`,
	`SELECT relname, attname, attacl FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid WHERE attacl IS NOT NULL ORDER BY 1, 2`,
	`SELECT nspname, nspacl FROM pg_namespace ORDER BY 1`,
	`SELECT datacl FROM pg_database`,
	`SELECT has_function_privilege('sub', 'upper(text)', 'EXECUTE'), has_function_privilege('sub', 'lower(text)', 'EXECUTE')`,
	`SELECT rolname, defaclnamespace, defaclobjtype, defaclacl FROM pg_default_acl d JOIN pg_roles r ON r.oid = defaclrole ORDER BY 1, 2, 3`,
	`SELECT relname, objsubid, description FROM pg_description JOIN pg_class c ON c.oid = objoid ORDER BY 1, 2`,
	`SELECT obj_description(2200, 'pg_namespace'), shobj_description(oid, 'pg_database') FROM pg_database`,
	`SELECT conname, contype, conkey FROM pg_constraint ORDER BY conname`,
	`SELECT column_name, column_default, is_nullable FROM information_schema.columns WHERE table_name = 'facts' ORDER BY ordinal_position`,
}

// TestEveryFormatOpens opens a directory of each format that a version has written,
// all made by testdata/formats/make.sql, twice: it is brought to the newest format.
func TestEveryFormatOpens(t *testing.T) {
	testFormats(t, "[0-9]", "1", "contents.txt", contentsOfFormats)
}

// TestRolesOfEveryFormat opens a directory of each format since there are roles, made by
// testdata/formats/make.sql and make-roles.sql.
func TestRolesOfEveryFormat(t *testing.T) {
	testFormats(t, "[0-9]-roles", "2-roles", "contents-roles.txt", rolesOfFormats)
}

// testFormats opens the directories that match a pattern, and compares what queries give
// with what they gave of the first.
func testFormats(t *testing.T, pattern, first, file string, queries []string) {
	expected := filepath.Join("testdata", "formats", file)
	if *updateFormats {
		dir := copyDirectory(t, filepath.Join("testdata", "formats", first))
		if err := os.WriteFile(expected, []byte(dataContents(t, dir, queries)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(expected)
	if err != nil {
		t.Fatal(err)
	}
	formats, err := filepath.Glob(filepath.Join("testdata", "formats", pattern))
	if err != nil || len(formats) == 0 {
		t.Fatalf("%v, %v", formats, err)
	}
	for _, format := range formats {
		dir := copyDirectory(t, format)
		for range 2 {
			if got := dataContents(t, dir, queries); got != string(want) {
				t.Errorf("format %s holds\n%s", filepath.Base(format), got)
			}
		}
	}
}

// copyDirectory copies the files of a directory to a new one.
func copyDirectory(t *testing.T, from string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// dataContents returns what queries find in a data directory as text.
func dataContents(t *testing.T, dir string, queries []string) string {
	t.Helper()
	db, err := cubeloom.Open(cubeloom.Options{DataDir: dir, Device: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	session := db.Session()
	defer session.Close()
	var out strings.Builder
	for _, query := range queries {
		result, err := session.Query(context.Background(), query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		out.WriteString(query + "\n")
		for cur := result.Cursor(); cur.Next(); {
			for i := range result.Columns {
				if cur.IsNull(i) {
					out.WriteString("\\N|")
				} else {
					out.WriteString(cur.Text(i) + "|")
				}
			}
			out.WriteString("\n")
		}
	}
	return out.String()
}

// TestCharactersComeBack holds that columns of character(n) are so behind format 2.
func TestCharactersComeBack(t *testing.T) {
	db, err := cubeloom.Open(cubeloom.Options{DataDir: copyDirectory(t, filepath.Join("testdata", "formats", "3")), Device: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	session := db.Session()
	defer session.Close()
	res, err := session.Query(t.Context(), "SELECT c, n, v, c = 'ab', n = 'ab' FROM chars ORDER BY c, n")
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for cur := res.Cursor(); cur.Next(); got += "\n" {
		for i := range res.Columns {
			got += cur.Text(i) + "|"
		}
	}
	if want := "     | x| x|f|f|\nab   |ab |ab |t|t|\nabcde|||f|f|\n|||||\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestOldDirectoriesAreTheSuperusers opens a directory from before there were roles: its
// tables and views are the bootstrap superuser's, and closed to others.
func TestOldDirectoriesAreTheSuperusers(t *testing.T) {
	db, err := cubeloom.Open(cubeloom.Options{DataDir: copyDirectory(t, filepath.Join("testdata", "formats", "1")), Device: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	owner := db.Session()
	defer owner.Close()
	res, err := owner.Query(t.Context(), "SELECT relname FROM pg_class WHERE relkind IN ('r', 'v') AND relnamespace = 2200 AND relowner <> 10")
	if err != nil || res.Rows() > 0 {
		t.Errorf("%v, %d relations are not the superuser's", err, res.Rows())
	}
	if err := db.AdmitRole(t.Context(), "ana"); err != nil {
		t.Fatal(err)
	}
	ana, err := db.Connect(cubeloom.Identity{User: "ana", Database: "db"})
	if err != nil {
		t.Fatal(err)
	}
	defer ana.Close()
	if _, err := ana.Query(t.Context(), "SELECT count(*) FROM facts"); err == nil || !strings.Contains(err.Error(), "permission denied for table facts") {
		t.Errorf("an ordinary role reads a table of the superuser: %v", err)
	}
}
