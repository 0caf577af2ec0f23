#!/usr/bin/env bash
# SSB over several Cubeloom servers behind one PostgreSQL. distributed.md says
# what this sets up and why.
set -euo pipefail

usage() {
  cat <<'HELP'
Usage: distributed.sh COMMAND [OPTION...]

Commands:
  start    the nodes and the PostgreSQL in front, all on this machine
  stop     what start, node or front began in --dir; the data stays
  status   what runs in --dir
  node     one node alone, on its own machine: loads its years and serves them
  front    the PostgreSQL alone, over nodes that serve elsewhere

Options:
  --dir DIR          keeps data, logs and process ids   (default ./distributed)
  --sf N             SSB's scale factor                 (default 0.1)
  --nodes N          start: how many nodes              (default 3)
  --nodes H:P,H:P    front: where the nodes serve, in their order
  --node I/N         node: which of how many, from 1
  --listen H:P       node: where it serves              (default localhost:6401)
  --port P           port of the PostgreSQL in front    (default 6432)
  --node-port P      start: port of the first node      (default 6401)
  --user NAME        node and front: user at the nodes; the password, for nodes on
                     other machines, is in PGPASSWORD   (default front)
  --cubeloom PROGRAM                                    (default ./cubeloom, or in PATH)
  --postgres DIR     programs of PostgreSQL 15 or newer (default /usr/lib/postgresql/15/bin)

Example:
  go build ./cmd/cubeloom
  docs/distributed.sh start --sf 1
  psql -h localhost -p 6432 -U postgres ssb -c 'SELECT d_year, sum(lo_revenue) FROM star GROUP BY d_year'
  docs/distributed.sh stop
HELP
}

fail() {
  echo "distributed.sh: $*" >&2
  exit 1
}

dir=./distributed sf=0.1 nodes=3 node='' listen=localhost:6401 port=6432 node_port=6401
user=front cubeloom='' bin=${CUBELOOM_POSTGRES:-/usr/lib/postgresql/15/bin}
first_year=1992 last_year=1998

command=${1:-help}
shift || true
while (($#)); do
  case $1 in
    --dir | --sf | --nodes | --node | --listen | --port | --node-port | --user | --cubeloom | --postgres)
      (($# > 1)) || fail "$1 needs a value"
      case $1 in
        --dir) dir=$2 ;; --sf) sf=$2 ;; --nodes) nodes=$2 ;; --node) node=$2 ;; --listen) listen=$2 ;;
        --port) port=$2 ;; --node-port) node_port=$2 ;; --user) user=$2 ;;
        --cubeloom) cubeloom=$2 ;; --postgres) bin=$2 ;;
      esac
      shift 2
      ;;
    *) fail "there is no option $1; see distributed.sh help" ;;
  esac
done
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

find_cubeloom() {
  if [[ -z $cubeloom ]]; then
    cubeloom=./cubeloom
    [[ -x $cubeloom ]] || cubeloom=$(command -v cubeloom) || fail "there is no program cubeloom here: go build ./cmd/cubeloom, or --cubeloom PROGRAM"
  fi
  [[ -x $cubeloom ]] || fail "$cubeloom is not a program"
}

find_postgres() {
  [[ -x $bin/postgres ]] || fail "PostgreSQL is not at $bin: install postgresql-15, or --postgres DIR"
  [[ -e $("$bin/pg_config" --sharedir)/extension/postgres_fdw.control ]] ||
    fail "this PostgreSQL has no postgres_fdw: install its contrib modules"
}

# running PID: the process runs, and is not one that has ended and that nobody
# asked about yet.
running() {
  kill -0 "$1" 2>/dev/null && [[ ! -r /proc/$1/stat || $(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat") != Z ]]
}

# alive NAME: the process of NAME runs.
alive() { [[ -e $dir/$1.pid ]] && running "$(<"$dir/$1.pid")"; }

# years I N: the years of node I of N.
years() {
  local y
  for ((y = first_year; y <= last_year; y++)); do
    (((y - first_year) % $2 + 1 != $1)) || echo "$y"
  done
}

# schema I N: the tables and views of node I of N, from the files of SSB.
schema() {
  local data=$dir/ssb t y
  for t in date customer supplier part; do
    echo "CREATE TABLE $t AS SELECT * FROM '$data/$t.parquet';"
  done
  for y in $(years "$1" "$2"); do
    cat <<SQL
CREATE TABLE lineorder_$y AS SELECT * FROM '$data/lineorder.parquet' WHERE lo_orderdate BETWEEN ${y}0101 AND ${y}1231;
CREATE TABLE date_$y AS SELECT * FROM date WHERE d_year = $y;
CREATE VIEW star_$y AS SELECT * FROM lineorder_$y, date_$y, customer, supplier, part
  WHERE lo_orderdate = d_datekey AND lo_custkey = c_custkey AND lo_suppkey = s_suppkey AND lo_partkey = p_partkey;
CREATE VIEW cube_$y AS SELECT d_year, c_region, s_region, p_mfgr,
  GROUPING(c_region, s_region, p_mfgr) AS level, sum(lo_revenue) AS revenue, count(*) AS orders
  FROM star_$y GROUP BY d_year, CUBE (c_region, s_region, p_mfgr);
SQL
  done
  echo "GRANT SELECT ON ALL TABLES IN SCHEMA public TO PUBLIC;"
}

# start_node I N LISTEN: loads the node's years, unless it has, and serves them.
start_node() {
  local name=node$1
  ! alive "$name" || fail "$name runs already in $dir"
  find_cubeloom
  if [[ ! -e $dir/$name.loaded ]]; then
    [[ -e $dir/ssb/schema.sql ]] || "$cubeloom" gen ssb --sf "$sf" --out "$dir/ssb" >"$dir/gen.log" || fail "generating SSB failed: see $dir/gen.log"
    rm -rf "${dir:?}/$name"
    schema "$1" "$2" | "$cubeloom" sql --data "$dir/$name" >"$dir/$name.log" 2>&1 || fail "loading $name failed: see $dir/$name.log"
    echo "$1/$2 at scale $sf" >"$dir/$name.loaded"
  fi
  [[ $(<"$dir/$name.loaded") == "$1/$2 at scale $sf" ]] || fail "$dir has $name as $(<"$dir/$name.loaded"): another --dir, or remove that one"
  : >"$dir/$name.log"
  [[ -z ${PGPASSWORD:-} ]] || "$cubeloom" user "$user" --data "$dir/$name" <<<"$PGPASSWORD" || fail "$user gets no password"
  "$cubeloom" serve --data "$dir/$name" --listen "$3" >"$dir/$name.log" 2>&1 </dev/null &
  echo $! >"$dir/$name.pid"
  wait_for "$name" "grep -q ^listening $dir/$name.log"
  echo "$name serves $(years "$1" "$2" | paste -sd' ') at $3"
}

# wait_for NAME TEST: until TEST holds, as long as the process of NAME lives.
wait_for() {
  local i
  for ((i = 0; i < 1200; i++)); do
    eval "$2" && return
    alive "$1" || break
    sleep 0.1
  done
  tail -n 5 "$dir/$1.log" >&2
  fail "$1 does not start: see $dir/$1.log"
}

# as_postgres: runs a command as somebody who is not root, which PostgreSQL
# does not accept.
as_postgres() {
  if ((EUID == 0)); then
    runuser -u postgres -- "$@"
  else
    "$@"
  fi
}

# start_front NODES: starts PostgreSQL and makes the nodes its foreign servers.
start_front() {
  local psql=("$bin/psql" -X -q -v ON_ERROR_STOP=1 -h "$dir/postgres" -p "$port" -U postgres)
  ! alive postgres || fail "the PostgreSQL in front runs already in $dir"
  find_postgres
  if [[ ! -e $dir/postgres/data/PG_VERSION ]]; then
    mkdir -p "$dir/postgres"
    ((EUID != 0)) || chown postgres "$dir/postgres"
    (cd "$dir/postgres" && as_postgres "$bin/initdb" -D data -U postgres -A trust --locale=C.UTF-8 --encoding=UTF8) >"$dir/postgres.log" 2>&1 ||
      fail "initdb failed: see $dir/postgres.log (other users must be able to enter $dir)"
  fi
  (cd "$dir/postgres" && as_postgres "$bin/postgres" -D data -k "$dir/postgres" -p "$port" -c listen_addresses=localhost) >"$dir/postgres.log" 2>&1 </dev/null &
  echo $! >"$dir/postgres.pid"
  wait_for postgres "\"$bin/pg_isready\" -q -h \"$dir/postgres\" -p $port"
  "${psql[@]}" -d postgres -c "DROP DATABASE IF EXISTS ssb" -c "CREATE DATABASE ssb TEMPLATE template0 LOCALE 'C'" >"$dir/front.log" 2>&1 ||
    fail "making the database failed: see $dir/front.log"
  foreign "$1" | "${psql[@]}" -d ssb >"$dir/front.log" 2>&1 ||
    fail "making the foreign tables failed: see $dir/front.log"
  echo "PostgreSQL in front: psql -h localhost -p $port -U postgres ssb"
}

# quoted TEXT: TEXT as a literal of SQL.
quoted() { echo "'${1//\'/\'\'}'"; }

# foreign NODES: the SQL that makes the nodes' views partitions of tables here.
foreign() {
  local list i n y
  IFS=, read -r -a list <<<"$1"
  n=${#list[@]}
  cat <<SQL
ALTER DATABASE ssb SET enable_partitionwise_aggregate = on;
SET enable_partitionwise_aggregate = on;
CREATE EXTENSION postgres_fdw;
SQL
  for ((i = 1; i <= n; i++)); do
    cat <<SQL
CREATE SERVER node$i FOREIGN DATA WRAPPER postgres_fdw OPTIONS (
  host $(quoted "${list[i - 1]%:*}"), port $(quoted "${list[i - 1]##*:}"), dbname 'cubeloom',
  use_remote_estimate 'true', fdw_startup_cost '1', fdw_tuple_cost '0.2', async_capable 'true', fetch_size '10000');
CREATE USER MAPPING FOR PUBLIC SERVER node$i OPTIONS (user $(quoted "$user")${PGPASSWORD:+, password $(quoted "$PGPASSWORD")}, password_required 'false');
SQL
    for y in $(years "$i" "$n"); do
      echo "IMPORT FOREIGN SCHEMA public LIMIT TO (lineorder_$y, star_$y, cube_$y) FROM SERVER node$i INTO public;"
    done
  done
  cat <<SQL
IMPORT FOREIGN SCHEMA public LIMIT TO (date, customer, supplier, part) FROM SERVER node1 INTO public;
CREATE TABLE lineorder (LIKE lineorder_$first_year) PARTITION BY RANGE (lo_orderdate);
CREATE TABLE star (LIKE star_$first_year) PARTITION BY LIST (d_year);
CREATE TABLE cube_of_years (LIKE cube_$first_year) PARTITION BY LIST (d_year);
SQL
  for ((y = first_year; y <= last_year; y++)); do
    cat <<SQL
ALTER TABLE lineorder ATTACH PARTITION lineorder_$y FOR VALUES FROM (${y}0101) TO ($((y + 1))0101);
ALTER TABLE star ATTACH PARTITION star_$y FOR VALUES IN ($y);
ALTER TABLE cube_of_years ATTACH PARTITION cube_$y FOR VALUES IN ($y);
SQL
  done
  cat <<SQL
CREATE VIEW revenue_cube AS
  SELECT d_year, c_region, s_region, p_mfgr, level, revenue, orders FROM cube_of_years
  UNION ALL
  SELECT NULL, c_region, s_region, p_mfgr, level + 8, sum(revenue), sum(orders) FROM cube_of_years GROUP BY c_region, s_region, p_mfgr, level;
SQL
}

# stop_one NAME SIGNAL: stops a process and waits for its end.
stop_one() {
  local pid i
  alive "$1" || return 0
  pid=$(<"$dir/$1.pid")
  [[ $1 != postgres || ! -e $dir/postgres/data/postmaster.pid ]] || pid=$(head -n 1 "$dir/postgres/data/postmaster.pid")
  kill -s "$2" "$pid"
  for ((i = 0; i < 600; i++)); do
    running "$pid" || break
    sleep 0.1
  done
  ! running "$pid" || fail "$1 (process $pid) does not stop"
  rm -f "$dir/$1.pid"
  echo "$1 stopped"
}

# started: the names of what was started in the directory.
started() {
  local f
  for f in "$dir"/*.pid; do
    [[ ! -e $f ]] || basename "$f" .pid
  done
}

case $command in
  start)
    [[ $nodes =~ ^[1-9][0-9]*$ ]] || fail "start takes a number of nodes, not --nodes $nodes"
    find_cubeloom
    find_postgres
    list=''
    for ((i = 1; i <= nodes; i++)); do
      start_node "$i" "$nodes" "localhost:$((node_port + i - 1))"
      list+=${list:+,}localhost:$((node_port + i - 1))
    done
    start_front "$list"
    ;;
  node)
    [[ $node =~ ^([1-9][0-9]*)/([1-9][0-9]*)$ ]] || fail "node needs --node I/N, such as --node 2/3"
    ((BASH_REMATCH[1] <= BASH_REMATCH[2])) || fail "--node $node is beyond the last"
    start_node "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "$listen"
    ;;
  front)
    [[ $nodes == *:* ]] || fail "front needs --nodes HOST:PORT,HOST:PORT,…"
    start_front "$nodes"
    ;;
  stop)
    ! alive postgres || stop_one postgres INT
    for name in $(started); do stop_one "$name" TERM; rm -f "$dir/$name.pid"; done
    ;;
  status)
    for name in $(started); do
      if alive "$name"; then echo "$name runs"; else echo "$name has ended: see $dir/$name.log"; fi
    done
    ;;
  help | --help | -h) usage ;;
  *)
    usage >&2
    exit 2
    ;;
esac
