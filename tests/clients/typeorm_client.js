// Uses TypeORM and Sequelize with node-postgres as their users do and prints what it gets.
//
// The argument is a JSON text of node-postgres' configuration. Every line is the same with PostgreSQL.
'use strict';
require('reflect-metadata');
const { DataSource, EntitySchema } = require('typeorm');
const { Sequelize, DataTypes, QueryTypes } = require('sequelize');

const config = JSON.parse(process.argv[2]);

function report(name, value) {
  console.log(name, JSON.stringify(value));
}

async function attempt(name, act) {
  try {
    report(name, await act());
  } catch (e) {
    const cause = e.driverError || e.original || e;
    report(name, [cause.code, cause.message.split('\n')[0]]);
  }
}

const Writer = new EntitySchema({
  name: 'Writer', tableName: 'writers',
  columns: {
    id: { type: 'int', primary: true },
    name: { type: 'varchar', length: 40, comment: 'the full name' },
    born: { type: 'date', nullable: true },
  },
});

const Work = new EntitySchema({
  name: 'Work', tableName: 'works', uniques: [{ name: 'one_title', columns: ['writer', 'title'] }],
  columns: {
    id: { type: 'bigint', primary: true },
    writer: { type: 'int' },
    title: { type: 'text', default: 'untitled' },
    price: { type: 'numeric', precision: 8, scale: 2, default: 0 },
    tags: { type: 'text', array: true, nullable: true },
    made: { type: 'timestamptz', nullable: true },
    weight: { type: 'float8', nullable: true },
    small: { type: 'smallint', nullable: true },
    known: { type: 'boolean', default: true },
  },
});

async function typeorm() {
  const source = new DataSource({
    type: 'postgres', host: config.host, port: config.port, database: config.database, username: config.user, password: config.password,
    ssl: config.ssl, entities: [Writer, Work], synchronize: false, logging: false, installExtensions: false,
  });
  await source.initialize();
  await source.synchronize();
  await source.synchronize(); // finds nothing to do
  const log = await source.driver.createSchemaBuilder().log();
  report('differences', log.upQueries.map((q) => q.query));
  const runner = source.createQueryRunner();
  await runner.query('CREATE VIEW cheap AS SELECT id, title FROM works WHERE price < 10');
  for (const name of ['writers', 'works']) {
    const table = await runner.getTable(name);
    report(name, table.columns.map((c) => [c.name, c.type, c.length, c.precision, c.scale, c.default, c.isNullable, c.isPrimary, c.isUnique, c.isArray, c.comment]));
    report('constraints', [table.uniques.map((u) => [u.name, u.columnNames]), table.indices.length, table.foreignKeys.length, table.checks.length]);
  }
  report('has', [await runner.hasTable('works'), await runner.hasTable('nope'), await runner.hasColumn('works', 'title'), await runner.hasSchema('public')]);
  report('where', [await runner.getCurrentDatabase(), await runner.getCurrentSchema()]);
  const writers = source.getRepository(Writer), works = source.getRepository(Work);
  await writers.insert({ id: 1, name: 'Ada', born: '1815-12-10' });
  await works.insert([1, 2, 3, 4].map((n) => ({ id: n, writer: 1, title: 't' + n, price: n, tags: ['a', 'q"{'], made: new Date(Date.UTC(2020, 0, n)), weight: 0.1 })));
  await works.update(2, { title: 'new' });
  await works.delete(3);
  report('rows', await works.find({ order: { id: 'ASC' } }));
  report('count', await works.countBy({ writer: 1 }));
  report('joined', await source.createQueryBuilder('Work', 'w').innerJoin('Writer', 'x', 'x.id = w.writer').select(['x.name AS name', 'sum(w.price) AS total']).groupBy('x.name').getRawMany());
  await attempt('duplicate', () => writers.insert({ id: 1, name: 'x' }));
  await attempt('transaction', () => source.transaction('SERIALIZABLE', async (m) => {
    await m.insert('Work', { id: 9, writer: 1, title: 'nine' });
    await m.query('SELECT 1/0');
  }));
  report('rolled back', await works.existsBy({ id: 9 }));
  await runner.query('DROP VIEW cheap');
  await runner.dropTable('works');
  await runner.dropTable('writers');
  await runner.release();
  await source.destroy();
}

async function sequelize() {
  const db = new Sequelize(config.database, config.user, config.password, {
    host: config.host, port: config.port, dialect: 'postgres', logging: false, dialectOptions: config.ssl ? { ssl: config.ssl } : {},
  });
  const Shop = db.define('shop', {
    id: { type: DataTypes.INTEGER, primaryKey: true }, name: { type: DataTypes.STRING(20), allowNull: false, unique: true },
    turnover: { type: DataTypes.DECIMAL(10, 2), defaultValue: 0 }, tags: DataTypes.ARRAY(DataTypes.TEXT), open: DataTypes.BOOLEAN,
  }, { timestamps: false });
  await Shop.sync();
  await Shop.sync();
  const queries = db.getQueryInterface();
  report('tables', (await queries.showAllTables()).map((t) => t.tableName || t));
  report('described', await queries.describeTable('shops'));
  report('indexes', (await queries.showIndex('shops')).map((i) => [i.name, i.unique, i.primary, i.fields.map((f) => f.attribute)]));
  report('constraints', (await queries.showConstraint('shops')).filter((c) => c.constraintType !== 'CHECK').map((c) => [c.constraintName, c.constraintType, c.tableName]));
  report('foreign keys', await queries.getForeignKeyReferencesForTable('shops'));
  await Shop.bulkCreate([1, 2, 3].map((n) => ({ id: n, name: 'n' + n, tags: ['a', 'b'] })), { returning: false });
  report('found', (await Shop.findAll({ order: ['id'], raw: true })));
  report('updated', await Shop.update({ open: true }, { where: { id: 2 } }));
  report('summed', await Shop.sum('id'));
  await attempt('unique', () => Shop.bulkCreate([{ id: 4, name: 'n1' }], { returning: false }));
  report('selected', await db.query('SELECT :a::int + 1 AS x', { replacements: { a: 1 }, type: QueryTypes.SELECT }));
  report('version', (await db.databaseVersion()).split('.')[0]);
  await Shop.drop();
  await db.close();
}

typeorm().then(sequelize).catch((e) => { console.error(e); process.exit(1); });
