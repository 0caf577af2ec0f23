-- Relations about what does not exist here, which tools ask for.
SELECT trigger_name, event_manipulation, action_timing, created FROM information_schema.triggers WHERE event_object_schema = 'public';
SELECT constraint_name FROM information_schema.domain_constraints WHERE domain_schema = 'public';
SELECT domain_name, data_type, domain_default FROM information_schema.domains WHERE domain_schema = 'public';
SELECT specific_name, ordinal_position, parameter_mode, data_type FROM information_schema.parameters WHERE specific_schema = 'public';
SELECT user_defined_type_name FROM information_schema.user_defined_types WHERE user_defined_type_schema = 'public';
SELECT foreign_table_name, foreign_server_name FROM information_schema.foreign_tables;
SELECT r.rulename, r.definition FROM pg_rules r WHERE r.schemaname = 'public';
SELECT policyname, roles, cmd, qual FROM pg_policies;
SELECT gid, prepared, owner, database FROM pg_prepared_xacts;
SELECT slot_name, active, restart_lsn FROM pg_replication_slots;
SELECT pid, state, sync_state, write_lag FROM pg_stat_replication;
SELECT srvname, usename, umoptions FROM pg_user_mappings;
SELECT pubname, tablename FROM pg_publication_tables;
SELECT installed_version FROM pg_available_extensions WHERE name = 'none';
SELECT pg_get_function_sqlbody(p.oid) FROM pg_proc p WHERE p.proname = 'initcap';
SELECT locktype, relation::regclass, mode FROM pg_locks WHERE NOT granted;
SELECT attname, null_frac, n_distinct FROM pg_stats WHERE tablename = 'none';
