# Uses Sequel and ActiveRecord with pg as their users do and prints what it gets.
#
# The arguments are host, port and password. Every line is the same with PostgreSQL.
require "sequel"
require "active_record"

$stdout.sync = true
HOST, PORT, PASSWORD = ARGV

def report(name, value)
  puts "#{name} #{value.inspect}"
end

def attempt(name)
  report(name, yield)
rescue Sequel::DatabaseError, ActiveRecord::StatementInvalid => e
  cause = e.is_a?(Sequel::DatabaseError) ? e.wrapped_exception : e.cause
  report(name, [e.class.name, cause.result.error_field(PG::Result::PG_DIAG_SQLSTATE), cause.result.error_field(PG::Result::PG_DIAG_MESSAGE_PRIMARY)])
end

def sequel
  db = Sequel.connect(adapter: "postgres", host: HOST, port: PORT, user: "postgres", password: PASSWORD, database: "postgres")
  db.extension :pg_array
  db.create_table :writers do
    Integer :id, primary_key: true
    String :name, size: 40, null: false
    String :code, size: 3, unique: true
    Date :born
  end
  db.create_table :works do
    column :id, :bigint, primary_key: true
    Integer :writer, null: false
    String :title, text: true, default: "untitled", null: false
    BigDecimal :price, size: [8, 2], default: 0
    column :tags, "text[]"
    column :made, "timestamp with time zone"
    Float :weight
    TrueClass :known
    unique [:writer, :title], name: :one_title
  end
  db.create_view :cheap, "SELECT id, title FROM works WHERE price < 10"
  report "tables", db.tables.sort
  report "views", db.views
  report "exists", [db.table_exists?(:works), db.table_exists?(:nope)]
  %i[writers works cheap].each do |table|
    report "schema of #{table}", db.schema(table).map { |name, info| [name, info.reject { |k, _| k == :oid || k == :base_oid }] }
    report "indexes", db.indexes(table)
    report "foreign keys", db.foreign_key_list(table)
    report "primary key", [db.primary_key(table), db.primary_key_sequence(table)] unless table == :cheap
  end
  report "checks", db.check_constraints(:works)
  report "insert", db[:writers].insert(id: 1, name: "Ada", code: "ada", born: Date.new(1815, 12, 10))
  db[:works].import(%i[id writer title price], (1..5).map { |n| [n, 1, "t#{n}", n] })
  db[:works].insert(id: 9, writer: 1, tags: Sequel.pg_array(["a", nil, 'q"{']), made: Time.utc(2020, 1, 1), weight: 0.1, known: true)
  report "rows", db[:works].order(:id).all
  report "updated", db[:works].where(id: 2).update(title: "new")
  report "deleted", db[:works].where(id: 3).delete
  report "paged", db.transaction { db[:works].order(:id).use_cursor(rows_per_fetch: 2).map(:id) }
  report "joined", db[:works].join(:writers, id: :writer).group_and_count(:name).all
  attempt("duplicate") { db[:writers].insert(id: 1, name: "x") }
  attempt("unknown") { db[:works].select(:nope).all }
  attempt("savepoint") { db.transaction { db.transaction(savepoint: true) { db.run("SELECT 1/0") } } }
  report "prepared", db[:works].where(id: :$n).prepare(:first, :one).call(n: 1)
  db.drop_view :cheap
  db.drop_table :works, :writers
  db.disconnect
end

class Writer < ActiveRecord::Base
  has_many :works, foreign_key: :writer_id
end

class Work < ActiveRecord::Base
  belongs_to :writer
end

def active_record
  ActiveRecord::Base.establish_connection(adapter: "postgresql", host: HOST, port: PORT, username: "postgres", password: PASSWORD, database: "postgres")
  conn = ActiveRecord::Base.connection
  conn.create_table(:writers, id: false, comment: "who writes") do |t|
    t.integer :id, primary_key: true, default: nil
    t.string :name, limit: 40, null: false, comment: "the full name"
    t.date :born
  end
  conn.create_table(:works, id: false) do |t|
    t.bigint :id, primary_key: true, default: nil
    t.integer :writer_id, null: false
    t.text :title, null: false, default: "untitled"
    t.decimal :price, precision: 8, scale: 2, default: 0
    t.text :tags, array: true
    t.integer :ratings, array: true
    t.datetime :made
    t.float :weight
    t.boolean :known, default: true
  end
  conn.execute("CREATE VIEW cheap AS SELECT id, title FROM works WHERE price < 10")
  report "tables", conn.tables.sort
  report "views", conn.views
  report "sources", conn.data_sources.sort
  report "exist", [conn.table_exists?(:works), conn.view_exists?(:cheap), conn.table_exists?(:nope), conn.index_exists?(:works, :id)]
  %w[writers works cheap].each do |table|
    report "columns of #{table}", conn.columns(table).map { |c| [c.name, c.sql_type, c.type, c.limit, c.precision, c.scale, c.null, c.default, c.default_function, c.comment, c.array] }
    report "primary key", conn.primary_key(table)
    report "indexes", conn.indexes(table).map { |i| [i.name, i.columns, i.unique] }
    report "foreign keys", conn.foreign_keys(table)
    report "comment", conn.table_comment(table)
  end
  report "version", [conn.database_version / 10000, conn.schema_names, conn.current_schema, conn.schema_search_path, conn.encoding]
  Writer.create!(id: 1, name: "Ada", born: Date.new(1815, 12, 10))
  (1..5).each { |n| Work.create!(id: n, writer_id: 1, title: "t#{n}", price: n, tags: ["a", nil, 'q"{'], ratings: [1, n], made: Time.utc(2020, 1, n), weight: 0.1) }
  report "works", Work.order(:id).map(&:attributes)
  report "default", Work.new.attributes
  report "where", Work.where("'a' = ANY(tags)").where(ratings: [1, 2]).pluck(:id)
  report "in", Work.where(id: [1, 3, 99]).order(:id).pluck(:id, :price)
  report "joined", Writer.joins(:works).group(:name).sum(:price)
  report "included", Writer.includes(:works).map { |w| w.works.map(&:id).sort }
  Work.find(2).update!(title: "new")
  Work.find(3).destroy
  report "left", Work.order(:id).pluck(:title)
  report "batches", Work.find_each(batch_size: 2).map(&:id)
  report "exists", [Work.exists?(id: 1), Work.exists?(id: 99)]
  report "insert all", Work.insert_all!([{ id: 20, writer_id: 1 }, { id: 21, writer_id: 1 }], returning: false).class
  attempt("duplicate") { Writer.create!(id: 1, name: "x") }
  attempt("nested") { Work.transaction { Work.create!(id: 30, writer_id: 1); Work.transaction(requires_new: true) { Work.create!(id: 1, writer_id: 1) } } }
  report "rolled back", Work.exists?(id: 30)
  report "explained", Work.where(id: 1).explain.lines.first
  conn.add_column :works, :note, :string, limit: 10
  conn.rename_column :works, :note, :remark
  conn.change_column_default :works, :remark, "x"
  Work.reset_column_information
  report "migrated", Work.columns_hash["remark"].then { |c| [c.sql_type, c.limit, c.default] }
  conn.execute("DROP VIEW cheap")
  conn.drop_table :works
  conn.drop_table :writers
end

sequel
active_record
