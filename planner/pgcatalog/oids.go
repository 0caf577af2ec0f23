package pgcatalog

// systemOIDs are the OIDs of the relations of pg_catalog, those that PostgreSQL gives
// them.
var systemOIDs = map[string]int64{
	"pg_default_acl": 826, "pg_tablespace": 1213, "pg_type": 1247, "pg_attribute": 1249, "pg_proc": 1255, "pg_class": 1259,
	"pg_authid": 1260, "pg_auth_members": 1261, "pg_database": 1262, "pg_foreign_server": 1417, "pg_sequence": 2224,
	"pg_foreign_data_wrapper": 2328, "pg_shdescription": 2396, "pg_aggregate": 2600, "pg_am": 2601, "pg_amop": 2602,
	"pg_amproc": 2603, "pg_attrdef": 2604, "pg_cast": 2605, "pg_constraint": 2606, "pg_conversion": 2607, "pg_depend": 2608,
	"pg_description": 2609, "pg_index": 2610, "pg_inherits": 2611, "pg_language": 2612, "pg_namespace": 2615,
	"pg_opclass": 2616, "pg_operator": 2617, "pg_rewrite": 2618, "pg_trigger": 2620, "pg_opfamily": 2753,
	"pg_db_role_setting": 2964, "pg_largeobject_metadata": 2995, "pg_extension": 3079, "pg_foreign_table": 3118,
	"pg_policy": 3256, "pg_partitioned_table": 3350, "pg_statistic_ext": 3381, "pg_init_privs": 3394, "pg_collation": 3456,
	"pg_event_trigger": 3466, "pg_enum": 3501, "pg_range": 3541, "pg_transform": 3576, "pg_seclabel": 3596, "pg_shseclabel": 3592,
	"pg_ts_dict": 3600, "pg_ts_parser": 3601, "pg_ts_config": 3602, "pg_ts_template": 3764, "pg_subscription": 6100,
	"pg_publication": 6104, "pg_publication_rel": 6106, "pg_publication_namespace": 6237,
}
