-- Extensions: the one that is everywhere, and those that are nowhere.
create extension if not exists plpgsql;
create extension if not exists "plpgsql" cascade;
create extension if not exists plpgsql with schema pg_catalog version '1.0';
create extension plpgsql;
create extension;
create extension if not exists;
drop extension nope;
drop extension if exists nope;
drop extension if exists nope, nope2 cascade;
drop extension if exists nope restrict;
drop extension if exists a.b;
drop extension;
