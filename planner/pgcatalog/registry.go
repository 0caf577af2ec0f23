package pgcatalog

import (
	"sync"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Find finds a relation of the system. Without a schema pg_catalog is
// searched, as by PostgreSQL.
func Find(name []string) *Table {
	schema, last := Schema, name[len(name)-1]
	if len(name) == 2 {
		schema = name[0]
	}
	if len(name) > 2 {
		return nil
	}
	return Tables()[schema+"."+last]
}

// Relation is the table as the planner sees it at this moment, without a handle: the
// number of its rows, and what makes the cells of a column. They are charged to the
// session's statement; cells panics with what sqlstate.Catch takes.
func (t *Table) Relation(v *View) (rel *planner.Relation, cells func(i int, column []value.Value), err error) {
	defer sqlstate.Catch(&err)
	var rows []Row
	if t.rows != nil && !v.Outline {
		rows = t.rows(v)
	}
	rel = &planner.Relation{Momentary: true, Schema: t.schema, Columns: make([]planner.CatalogColumn, len(t.columns))}
	for i, c := range t.columns {
		rel.Columns[i] = planner.CatalogColumn{Name: c.name, Type: c.typ}
	}
	if t.schema == Schema {
		if SuperuserTables[t.name] != "" {
			rel.Protected = PrivateMark + t.name
		}
		if oid := systemOIDs[t.name]; oid != 0 {
			rel.TableOID = func() string { return OIDText(oid) }
		}
	}
	rel.Ref = algebra.TableRef{Name: t.name, Rows: int64(len(rows))}
	return rel, func(i int, column []value.Value) {
		v.took(len(rows))
		for j, row := range rows {
			if cell := row[t.columns[i].name]; cell != nil {
				column[j] = cellValue(cell)
			} else {
				column[j] = t.columns[i].absent(row)
			}
		}
	}, nil
}

// SuperuserTables are the relations of the system that hold passwords, with what
// PostgreSQL calls them.
var SuperuserTables = map[string]string{"pg_authid": "table", "pg_shadow": "view"}

// PrivateMark stands before the name of one of superuserTables in planner.Access. No table
// has it in its name.
const PrivateMark = "\x00"

// Tables are the relations of the system by schema and name.
var Tables = sync.OnceValue(func() map[string]*Table {
	tables := map[string]*Table{}
	add := func(schema, name, spec string, rows func(*View) []Row) {
		tables[schema+"."+name] = &Table{schema: schema, name: name, columns: readColumns(spec), rows: rows}
	}
	for _, specs := range []map[string]tableSpec{catalogTables, roleTables, sequenceTables, partitionTables} {
		for name, t := range specs {
			add(Schema, name, t.spec, t.rows)
		}
	}
	for _, specs := range []map[string]tableSpec{informationTables, privilegeTables, constraintTables} {
		for name, t := range specs {
			add(InformationSchema, name, t.spec, t.rows)
		}
	}
	for name, spec := range emptyTables {
		add(Schema, name, spec, nil)
	}
	for name, spec := range emptyInformation {
		add(InformationSchema, name, spec, nil)
	}
	return tables
})

// catalogTables are the relations of pg_catalog that have rows.
var catalogTables = map[string]tableSpec{
	"pg_namespace": {"oid:o nspname:n nspowner:o=10 nspacl:T", namespaceRows},
	"pg_class": {`oid:o relname:n relnamespace:o=2200 reltype:o=0 reloftype:o=0 relowner:o=10 relam:o=0 relfilenode:o=0
		reltablespace:o=0 relpages:i=0 reltuples:f=-1 relallvisible:i=0 reltoastrelid:o=0 relhasindex:b=f relisshared:b=f
		relpersistence:c=p relkind:c relnatts:s=0 relchecks:s=0 relhasrules:b=f relhastriggers:b=f relhassubclass:b=f
		relrowsecurity:b=f relforcerowsecurity:b=f relispopulated:b=t relreplident:c=d relispartition:b=f relrewrite:o=0
		relfrozenxid:o=0 relminmxid:o=0 relacl:T reloptions:T relpartbound:t`, classRows},
	"pg_attribute": {`attrelid:o attname:n atttypid:o attstattarget:i=-1 attlen:s=-1 attnum:s attndims:i=0 attcacheoff:i=-1
		atttypmod:i=-1 attbyval:b=f attalign:t=i attstorage:c=p attcompression:c= attnotnull:b=f atthasdef:b=f atthasmissing:b=f
		attmissingval:T attidentity:c= attgenerated:c= attisdropped:b=f attislocal:b=t attinhcount:i=0 attcollation:o=0 attacl:T attoptions:T
		attfdwoptions:T`, attributeRows},
	"pg_type": {`oid:o typname:n typnamespace:o=11 typowner:o=10 typlen:s typbyval:b=f typtype:c=b typcategory:c
		typispreferred:b=f typisdefined:b=t typdelim:c=, typrelid:o=0 typsubscript:p=0 typelem:o=0 typarray:o=0 typinput:p=0
		typoutput:p=0 typreceive:p=0 typsend:p=0 typmodin:p=0 typmodout:p=0 typanalyze:p=0 typalign:c=i typstorage:c=p
		typnotnull:b=f typbasetype:o=0 typtypmod:i=-1 typndims:i=0 typcollation:o=0 typdefaultbin:t typdefault:t typacl:T`, typeRows},
	"pg_enum": {"oid:o enumtypid:o enumsortorder:f enumlabel:n", enumRows},
	"pg_index": {`indexrelid:o indrelid:o indnatts:s indnkeyatts:s indisunique:b=t indnullsnotdistinct:b=f indisprimary:b
		indisexclusion:b=f indimmediate:b=t indisclustered:b=f indisvalid:b=t indcheckxmin:b=f indisready:b=t indislive:b=t
		indisreplident:b=f indkey:V indcollation:W indclass:W indoption:V indexprs:t indpred:t`, indexRows},
	"pg_constraint": {`oid:o conname:n connamespace:o=2200 contype:c condeferrable:b=f condeferred:b=f convalidated:b=t
		conrelid:o contypid:o=0 conindid:o conparentid:o=0 confrelid:o=0 confupdtype:c= confdeltype:c= confmatchtype:c=
		conislocal:b=t coninhcount:i=0 connoinherit:b=t conkey:S confkey:S confdelsetcols:S conbin:t`, constraintRows},
	"pg_get_keywords()": {"word:t catcode:t barelabel:b catdesc:t baredesc:t", keywordRows},
	"pg_am":             {"oid:o amname:n amhandler:p=0 amtype:c", amRows},
	"pg_collation":      {"oid:o collname:n colliculocale:t collnamespace:o=11 collowner:o=10 collprovider:c=c collisdeterministic:b=t collencoding:i=-1 collcollate:t collctype:t", collationRows},
	"pg_tablespace":     {"oid:o spcname:n spcowner:o=10 spcacl:T spcoptions:T", tablespaceRows},
	"pg_database": {`oid:o datname:n datdba:o=10 encoding:i=6 datlocprovider:c=c datistemplate:b=f datallowconn:b=t
		datconnlimit:i=-1 datfrozenxid:o=0 datminmxid:o=0 dattablespace:o=1663 datcollate:t=C datctype:t=C.UTF-8 daticulocale:t datcollversion:t datacl:T`, databaseRows},
	"pg_settings": {"name:t setting:t unit:t category:t=Cubeloom short_desc:t extra_desc:t context:t=user vartype:t=string source:t=session boot_val:t reset_val:t pending_restart:b=f", settingRows},
	"pg_tables": {`schemaname:n=public tablename:n tableowner:n tablespace:n hasindexes:b=f hasrules:b=f hastriggers:b=f
		rowsecurity:b=f`, tableRows},
	"pg_views": {"schemaname:n=public viewname:n viewowner:n definition:t", viewRows},
	"pg_matviews": {`schemaname:n=public matviewname:n matviewowner:n tablespace:n hasindexes:b=f
		ispopulated:b=t definition:t`, materializedViewRows},
	"pg_indexes": {"schemaname:n=public tablename:n indexname:n tablespace:n indexdef:t", indexesRows},
	"pg_stat_activity": {`datid:o=5 datname:n pid:i leader_pid:i usesysid:o=10 usename:n application_name:t client_addr:t
		client_hostname:t client_port:i backend_start:m xact_start:m query_start:m state_change:m wait_event_type:t wait_event:t
		state:t backend_xid:t backend_xmin:t query_id:l query:t backend_type:t`, activityRows},
	"pg_attrdef":       {"oid:o adrelid:o adnum:s adbin:t", defaultRows},
	"pg_depend":        {"classid:o objid:o objsubid:i=0 refclassid:o refobjid:o refobjsubid:i=0 deptype:c", dependRows},
	"pg_description":   {"objoid:o classoid:o objsubid:i=0 description:t", descriptionRows},
	"pg_init_privs":    {"objoid:o classoid:o objsubid:i=0 privtype:c=i initprivs:T", initialRows},
	"pg_shdescription": {"objoid:o classoid:o description:t", sharedDescriptionRows},
	"pg_rewrite":       {"oid:o rulename:n=_RETURN ev_class:o ev_type:c=1 ev_enabled:c=O is_instead:b=t ev_qual:t ev_action:t", rewriteRows},
	"pg_proc": {`oid:o proname:n pronamespace:o=11 proowner:o=10 prolang:o=12 procost:f=1 prorows:f=0 provariadic:o prosupport:p=0
		prokind:c prosecdef:b=f proleakproof:b proisstrict:b proretset:b provolatile:c proparallel:c pronargs:s pronargdefaults:s
		prorettype:o proargtypes:W proallargtypes:O proargmodes:T proargnames:T proargdefaults:t protrftypes:O prosrc:t probin:t
		prosqlbody:t proconfig:T proacl:T`, functionRows},
	"pg_language":            {"oid:o lanname:n lanowner:o=10 lanispl:b=f lanpltrusted:b=f lanplcallfoid:o=0 laninline:o=0 lanvalidator:o=0 lanacl:T", languageRows},
	"pg_cursors":             {"name:t statement:t is_holdable:b is_binary:b=f is_scrollable:b creation_time:m", cursorRows},
	"pg_prepared_statements": {"name:t statement:t prepare_time:m parameter_types:t from_sql:b generic_plans:l=0 custom_plans:l=0", preparedRows},
	"pg_timezone_names":      {"name:t abbrev:t utc_offset:v is_dst:b", zoneRows},
	"cubeloom_progress":      {"pid:i usename:n application_name:t query:t phase:t rows_done:l rows_total:l elapsed_ms:l", progressRows},
	"pg_stat_all_tables":     {statSpec, statRows},
	"pg_statio_user_tables":  {statioSpec, statRows},
	"pg_statio_all_tables":   {statioSpec, statRows},
	"pg_stat_user_tables":    {statSpec, statRows},
}
