// Command gorm uses GORM with pgx as its users do and prints what it gets.
//
// The arguments are host, port and password. Every line is the same with PostgreSQL.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	"gorm.io/gorm/migrator"
)

type writer struct {
	ID    int32      `gorm:"primaryKey;autoIncrement:false"`
	Name  string     `gorm:"size:40;not null;comment:the full name"`
	Code  *string    `gorm:"size:3;unique"`
	Born  *time.Time `gorm:"type:date"`
	Works []work     `gorm:"foreignKey:WriterID"`
}

type work struct {
	ID       int64   `gorm:"primaryKey;autoIncrement:false"`
	WriterID int32   `gorm:"not null"`
	Title    string  `gorm:"type:text;not null;default:untitled"`
	Price    float64 `gorm:"type:numeric(8,2);default:0"`
	Weight   *float64
	Small    *int16
	Known    bool `gorm:"default:true"`
	Made     *time.Time
	Seen     *time.Time `gorm:"type:timestamp"`
}

// workOfToday is work after a release: a column more, one longer, one that may be NULL.
type workOfToday struct {
	ID       int64   `gorm:"primaryKey;autoIncrement:false"`
	WriterID int64   `gorm:"not null"`
	Title    string  `gorm:"type:text;default:unnamed"`
	Price    float64 `gorm:"type:numeric(10,2);default:0;comment:in euros"`
	Known    bool    `gorm:"default:true"`
	Note     *string `gorm:"size:10"`
	Made     *time.Time
}

func (workOfToday) TableName() string { return "works" }

func report(name string, values ...any) { fmt.Printf("%s %+v\n", name, values) }

// attempt reports a result, or the error in its place.
func attempt(name string, result any, err error) {
	if err != nil {
		result = text(err)
	}
	report(name, result)
}

// text is an error without where the server says that it stands.
func text(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code + " " + e.Message + " " + e.Detail
	}
	return err.Error()
}

func main() {
	dsn := fmt.Sprintf("host=%s port=%s password='%s' user=postgres dbname=postgres", os.Args[1], os.Args[2], os.Args[3])
	for _, simple := range []bool{false, true} {
		db, err := gorm.Open(postgres.New(postgres.Config{DSN: dsn, PreferSimpleProtocol: simple}), &gorm.Config{
			Logger: logger.Discard, DisableForeignKeyConstraintWhenMigrating: true, TranslateError: false,
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		report("simple", simple)
		migrate(db)
		use(db)
		change(db)
		attempt("drop", nil, db.Migrator().DropTable(&work{}, &writer{}))
		report("left", db.Migrator().HasTable(&work{}))
	}
}

func migrate(db *gorm.DB) {
	m := db.Migrator()
	attempt("migrate", nil, db.AutoMigrate(&writer{}, &work{}))
	attempt("again", statements(db, &writer{}, &work{}), nil)
	attempt("view", nil, m.CreateView("cheap", gorm.ViewOption{Query: db.Model(&work{}).Select("id, title").Where("price < 10"), Replace: true}))
	tables, err := m.GetTables()
	slices.Sort(tables)
	attempt("tables", tables, err)
	report("database", m.CurrentDatabase())
	report("has", m.HasTable("works"), m.HasTable("nope"), m.HasColumn(&work{}, "title"), m.HasColumn(&work{}, "nope"),
		m.HasIndex(&writer{}, "uni_writers_code"), m.HasIndex(&work{}, "nope"), m.HasConstraint(&writer{}, "uni_writers_code"), m.HasConstraint(&writer{}, "nope"))
	for _, table := range []any{&writer{}, &work{}} {
		reflect(m, table)
	}
}

// reflect reports what the migrator finds out about a table.
func reflect(m gorm.Migrator, table any) {
	columns, err := m.ColumnTypes(table)
	attempt("columns", len(columns), err)
	slices.SortFunc(columns, func(a, b gorm.ColumnType) int { return strings.Compare(a.Name(), b.Name()) })
	for _, c := range columns {
		column := c.(*migrator.ColumnType)
		report(column.NameValue.String, column.DataTypeValue, column.ColumnTypeValue, column.PrimaryKeyValue, column.UniqueValue, column.LengthValue,
			column.DecimalSizeValue, column.ScaleValue, column.NullableValue, column.DefaultValueValue, column.CommentValue, column.ScanTypeValue)
	}
	indexes, err := m.GetIndexes(table)
	attempt("indexes", len(indexes), err)
	slices.SortFunc(indexes, func(a, b gorm.Index) int { return strings.Compare(a.Name(), b.Name()) })
	for _, i := range indexes {
		unique, _ := i.Unique()
		primary, _ := i.PrimaryKey()
		report(i.Name(), i.Table(), i.Columns(), unique, primary)
	}
}

// statements are those with which a migration would change the database.
func statements(db *gorm.DB, models ...any) (changes []string) {
	log := &recorder{Interface: logger.Discard}
	if err := db.Session(&gorm.Session{Logger: log}).AutoMigrate(models...); err != nil {
		return []string{text(err)}
	}
	for _, s := range log.statements {
		if !strings.HasPrefix(s, "SELECT") && !strings.Contains(s, "SELECT a.attname") && !strings.Contains(s, "i.relname") {
			changes = append(changes, s)
		}
	}
	return changes
}

func use(db *gorm.DB) {
	born, made := time.Date(1815, 12, 10, 0, 0, 0, 0, time.UTC), time.Date(2020, 1, 2, 3, 4, 5, 678e6, time.UTC)
	weight, small, code := 0.1, int16(-3), "ada"
	attempt("create", nil, db.Create(&writer{ID: 1, Name: "Ada", Code: &code, Born: &born}).Error)
	w := work{ID: 1, WriterID: 1, Price: 5.5, Weight: &weight, Small: &small, Made: &made, Seen: &made}
	attempt("defaults", nil, db.Create(&w).Error)
	report("made", w.Title, w.Price, w.Known)
	var many []work
	for n := range int64(6) {
		many = append(many, work{ID: n + 2, WriterID: 1, Title: fmt.Sprint("t", n), Price: float64(n)})
	}
	attempt("batches", nil, db.CreateInBatches(many, 4).Error)
	attempt("duplicate", nil, db.Create(&writer{ID: 1, Name: "x"}).Error)
	attempt("too long", nil, db.Create(&writer{ID: 2, Name: strings.Repeat("x", 41)}).Error)
	read(db)
	updated := db.Model(&work{}).Where("id IN ?", []int64{2, 3}).Update("title", gorm.Expr("title || ?", "!"))
	attempt("updated", updated.RowsAffected, updated.Error)
	deleted := db.Where("price > ?", 4).Delete(&work{})
	attempt("deleted", deleted.RowsAffected, deleted.Error)
	err := db.Transaction(func(tx *gorm.DB) error {
		tx.Create(&work{ID: 50, WriterID: 1, Title: "kept"})
		tx.Transaction(func(inner *gorm.DB) error {
			inner.Create(&work{ID: 51, WriterID: 1, Title: "rolled back"})
			return errors.New("no")
		})
		return nil
	})
	attempt("transaction", nil, err)
	var titles []string
	err = db.Model(&work{}).Order("id").Pluck("title", &titles).Error
	attempt("titles", titles, err)
}

func read(db *gorm.DB) {
	var works []work
	err := db.Order("id").Limit(2).Offset(1).Find(&works, "writer_id = ?", 1).Error
	attempt("find", works, err)
	var first work
	err = db.First(&first).Error
	attempt("first", []any{first.ID, *first.Weight, *first.Small, first.Made.UTC(), first.Seen.UTC()}, err)
	attempt("missing", nil, db.First(&work{}, 99).Error)
	var writers []writer
	err = db.Preload("Works", func(tx *gorm.DB) *gorm.DB { return tx.Order("id") }).Find(&writers).Error
	attempt("preload", []any{len(writers), len(writers[0].Works), writers[0].Born.UTC()}, err)
	var sums []struct {
		Name string
		N    int64
		Sum  string
	}
	err = db.Model(&writer{}).Select("name, count(*) AS n, sum(price)::text AS sum").Joins("JOIN works ON works.writer_id = writers.id").Group("name").Having("count(*) > ?", 1).Scan(&sums).Error
	attempt("sums", sums, err)
	var n int64
	err = db.Model(&work{}).Where(map[string]any{"writer_id": 1}).Not("title LIKE ?", "t%").Or("id = ?", 2).Count(&n).Error
	attempt("count", n, err)
	var pages []int
	err = db.Where("id > ?", 1).FindInBatches(&works, 2, func(_ *gorm.DB, batch int) error {
		pages = append(pages, batch*len(works))
		return nil
	}).Error
	attempt("pages", pages, err)
	attempt("unknown", nil, db.Where("nope = 1").Find(&works).Error)
}

// change migrates a table with rows to another shape, forward step by step.
func change(db *gorm.DB) {
	m := db.Migrator()
	attempt("drop view", nil, m.DropView("cheap"))
	report("changes", statements(db, &workOfToday{}))
	report("none are left", statements(db, &workOfToday{}))
	reflect(m, &workOfToday{})
	attempt("rename column", nil, m.RenameColumn(&workOfToday{}, "note", "remark"))
	report("renamed", m.HasColumn(&workOfToday{}, "remark"))
	attempt("drop column", nil, m.DropColumn(&work{}, "small"))
	attempt("rename table", nil, m.RenameTable("works", "books"))
	attempt("back", nil, m.RenameTable("books", "works"))
}

// recorder is a logger that keeps statements.
type recorder struct {
	logger.Interface
	statements []string
}

func (r *recorder) LogMode(logger.LogLevel) logger.Interface { return r }

func (r *recorder) Trace(_ context.Context, _ time.Time, statement func() (string, int64), _ error) {
	text, _ := statement()
	r.statements = append(r.statements, text)
}
