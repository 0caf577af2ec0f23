package pgcatalog

// emptyTables are relations of pg_catalog about what does not exist here, or is not shown.
var emptyTables = map[string]string{
	"pg_conversion":            "oid:o conname:n connamespace:o conowner:o conforencoding:i contoencoding:i conproc:o condefault:b",
	"pg_cast":                  "oid:o castsource:o casttarget:o castfunc:o castcontext:c castmethod:c",
	"pg_event_trigger":         "oid:o evtname:n evtevent:n evtowner:o evtfoid:o evtenabled:c evttags:T",
	"pg_extension":             "oid:o extname:n extowner:o extnamespace:o extrelocatable:b extversion:t extconfig:O extcondition:T",
	"pg_foreign_data_wrapper":  "oid:o fdwname:n fdwowner:o fdwhandler:o fdwvalidator:o fdwacl:T fdwoptions:T",
	"pg_foreign_server":        "oid:o srvname:n srvowner:o srvfdw:o srvtype:t srvversion:t srvacl:T srvoptions:T",
	"pg_foreign_table":         "ftrelid:o ftserver:o ftoptions:T",
	"pg_operator":              "oid:o oprname:n oprnamespace:o oprowner:o oprkind:c oprcanmerge:b oprcanhash:b oprleft:o oprright:o oprresult:o oprcom:o oprnegate:o oprcode:o oprrest:o oprjoin:o",
	"pg_parameter_acl":         "oid:o parname:t paracl:T",
	"pg_policy":                "oid:o polname:n polrelid:o polcmd:c polpermissive:b polroles:O polqual:t polwithcheck:t",
	"pg_opclass":               "oid:o opcmethod:o opcname:n opcnamespace:o opcowner:o opcfamily:o opcintype:o opcdefault:b opckeytype:o",
	"pg_opfamily":              "oid:o opfmethod:o opfname:n opfnamespace:o opfowner:o",
	"pg_amop":                  "oid:o amopfamily:o amoplefttype:o amoprighttype:o amopstrategy:s amoppurpose:c amopopr:o amopmethod:o amopsortfamily:o",
	"pg_amproc":                "oid:o amprocfamily:o amproclefttype:o amprocrighttype:o amprocnum:s amproc:o",
	"pg_aggregate":             "aggfnoid:o aggkind:c aggnumdirectargs:s aggtransfn:o aggfinalfn:o",
	"pg_largeobject_metadata":  "oid:o lomowner:o lomacl:T",
	"pg_seclabels":             "objoid:o classoid:o objsubid:i objtype:t objnamespace:o objname:t provider:t label:t",
	"pg_shseclabel":            "objoid:o classoid:o provider:t label:t",
	"pg_transform":             "oid:o trftype:o trflang:o trffromsql:o trftosql:o",
	"pg_ts_parser":             "oid:o prsname:n prsnamespace:o prsstart:o prstoken:o prsend:o prsheadline:o prslextype:o",
	"pg_ts_template":           "oid:o tmplname:n tmplnamespace:o tmplinit:o tmpllexize:o",
	"pg_ts_dict":               "oid:o dictname:n dictnamespace:o dictowner:o dicttemplate:o dictinitoption:t",
	"pg_publication":           "oid:o pubname:n pubowner:o puballtables:b pubinsert:b pubupdate:b pubdelete:b pubtruncate:b pubviaroot:b",
	"pg_publication_namespace": "oid:o pnpubid:o pnnspid:o",
	"pg_publication_rel":       "oid:o prpubid:o prrelid:o prqual:t prattrs:V",
	"pg_range":                 "rngtypid:o rngsubtype:o rngmultitypid:o rngcollation:o rngsubopc:o rngcanonical:t rngsubdiff:t",
	"pg_seclabel":              "objoid:o classoid:o objsubid:i provider:t label:t",
	"pg_statistic_ext":         "oid:o stxrelid:o stxname:n stxnamespace:o stxowner:o stxstattarget:i stxkeys:V stxkind:T stxexprs:t",
	"pg_subscription":          "oid:o subdbid:o subname:n subowner:o subenabled:b subbinary:b substream:b subtwophasestate:t subdisableonerr:b subconninfo:t subslotname:t subsynccommit:t subpublications:T",
	"pg_trigger":               "oid:o tgrelid:o tgparentid:o tgname:n tgfoid:o tgtype:s tgenabled:c tgisinternal:b tgconstrrelid:o tgconstrindid:o tgconstraint:o",
	"pg_ts_config":             "oid:o cfgname:n cfgnamespace:o cfgowner:o cfgparser:o",
	"pg_available_extensions":  "name:n default_version:t installed_version:t comment:t",
	"pg_policies":              "schemaname:n tablename:n policyname:n permissive:t roles:T cmd:t qual:t with_check:t",
	"pg_locks": `locktype:t database:o relation:o page:i tuple:s virtualxid:t transactionid:o classid:o objid:o objsubid:s
		virtualtransaction:t pid:i mode:t granted:b fastpath:b waitstart:m`,
	"pg_stats": `schemaname:n tablename:n attname:n inherited:b null_frac:f avg_width:i n_distinct:f most_common_vals:T
		most_common_freqs:T histogram_bounds:T correlation:f most_common_elems:T most_common_elem_freqs:T elem_count_histogram:T`,
	"pg_prepared_xacts":     "transaction:o gid:t prepared:m owner:n database:n",
	"pg_publication_tables": "pubname:n schemaname:n tablename:n attnames:T rowfilter:t",
	"pg_replication_slots": `slot_name:n plugin:n slot_type:t datoid:o database:n temporary:b active:b active_pid:i xmin:o catalog_xmin:o
		restart_lsn:t confirmed_flush_lsn:t wal_status:t safe_wal_size:l two_phase:b`,
	"pg_rules": "schemaname:n tablename:n rulename:n definition:t",
	"pg_stat_replication": `pid:i usesysid:o usename:n application_name:t client_addr:t client_hostname:t client_port:i backend_start:m
		backend_xmin:o state:t sent_lsn:t write_lsn:t flush_lsn:t replay_lsn:t write_lag:v flush_lag:v replay_lag:v
		sync_priority:i sync_state:t reply_time:m`,
	"pg_user_mappings": "umid:o srvid:o srvname:n umuser:o usename:n umoptions:T",
}

// emptyInformation are relations of information_schema about what does not exist here.
var emptyInformation = map[string]string{
	"foreign_tables": "foreign_table_catalog:n foreign_table_schema:n foreign_table_name:n foreign_server_catalog:n foreign_server_name:n",
	"parameters": `specific_catalog:n specific_schema:n specific_name:n ordinal_position:i parameter_mode:t is_result:t
		as_locator:t parameter_name:n data_type:t character_maximum_length:i character_octet_length:i
		character_set_catalog:n character_set_schema:n character_set_name:n collation_catalog:n collation_schema:n
		collation_name:n numeric_precision:i numeric_precision_radix:i numeric_scale:i datetime_precision:i
		interval_type:t interval_precision:i udt_catalog:n udt_schema:n udt_name:n scope_catalog:n scope_schema:n
		scope_name:n maximum_cardinality:i dtd_identifier:n parameter_default:t`,
	"triggers": `trigger_catalog:n trigger_schema:n trigger_name:n event_manipulation:t event_object_catalog:n
		event_object_schema:n event_object_table:n action_order:i action_condition:t action_statement:t
		action_orientation:t action_timing:t action_reference_old_table:n action_reference_new_table:n
		action_reference_old_row:n action_reference_new_row:n created:m`,
	"user_defined_types": `user_defined_type_catalog:n user_defined_type_schema:n user_defined_type_name:n user_defined_type_category:t
		is_instantiable:t is_final:t ordering_form:t ordering_category:t ordering_routine_catalog:n
		ordering_routine_schema:n ordering_routine_name:n reference_type:t data_type:t character_maximum_length:i
		character_octet_length:i character_set_catalog:n character_set_schema:n character_set_name:n
		collation_catalog:n collation_schema:n collation_name:n numeric_precision:i numeric_precision_radix:i
		numeric_scale:i datetime_precision:i interval_type:t interval_precision:i source_dtd_identifier:n
		ref_dtd_identifier:n`,
}
