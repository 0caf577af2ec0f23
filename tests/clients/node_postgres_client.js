// Uses node-postgres as its users do and prints what it gets.
//
// The argument is a configuration in JSON; modules come from NODE_PATH. Every
// line is the same with PostgreSQL.
'use strict'
const { Client, Pool } = require('pg')
const Cursor = require('pg-cursor')

const report = (name, value) => console.log(name, JSON.stringify(value))

async function attempt(name, act) {
  try {
    report(name, await act())
  } catch (e) {
    report(name, [e.severity, e.code, e.message, e.position])
  }
}

async function main(config) {
  const client = new Client(config)
  await client.connect()
  const notices = []
  client.on('notice', n => notices.push([n.severity, n.code, n.message]))
  await client.query('CREATE TABLE items (a int PRIMARY KEY, b text, c numeric(10,2), d date, e timestamp, f float8, h boolean, i bigint)')
  const insert = 'INSERT INTO items VALUES ($1,$2,$3,$4,$5,$6,$7,$8)'
  const values = [1, "ä'\\", '-12.50', '1994-02-28', new Date(2001, 1, 3, 4, 5, 6, 789), 0.1, true, '1099511627776']
  report('inserted', (await client.query(insert, values)).rowCount)
  for (let a = 2; a < 8; a++) await client.query(insert, [a, null, null, null, null, null, null, null])

  const result = await client.query('SELECT * FROM items WHERE a <= $1 ORDER BY a', [2])
  report('rows', result.rows)
  report('fields', result.fields.map(f => [f.name, f.dataTypeID, f.dataTypeSize, f.format]))
  report('command', [result.command, result.rowCount])
  for (let n = 0; n < 3; n++) report('named', (await client.query({ name: 'by day', text: 'SELECT a + $2 AS s FROM items WHERE d = $1', values: ['1994-02-28', n] })).rows)
  report('binary', (await client.query({ text: 'SELECT a, f, h, i FROM items ORDER BY a LIMIT 1', values: [], binary: true })).rows)
  report('array mode', (await client.query({ text: 'SELECT a, b FROM items ORDER BY a LIMIT 2', rowMode: 'array' })).rows)
  report('several', (await client.query('SELECT 1 AS x; SELECT 2 AS y')).map(r => r.rows))
  report('empty', (await client.query('')).rows)

  const cursor = client.query(new Cursor('SELECT a FROM items ORDER BY a'))
  report('cursor', [await cursor.read(3), await cursor.read(2)])
  await cursor.close()
  const all = client.query(new Cursor('SELECT a FROM items WHERE a > $1', [5]))
  report('cursor to its end', [await all.read(10), await all.read(10)])

  await client.query('BEGIN')
  await client.query('INSERT INTO items (a) VALUES (100)')
  await client.query('SAVEPOINT s')
  await attempt('duplicate', () => client.query('INSERT INTO items (a) VALUES ($1)', [1]))
  await attempt('failed', () => client.query('SELECT 1'))
  await client.query('ROLLBACK TO SAVEPOINT s')
  await client.query('COMMIT')
  await attempt('count', async () => (await client.query('SELECT count(*) FROM items')).rows)
  await attempt('unknown column', () => client.query('SELECT a, nope FROM items'))
  await attempt('syntax', () => client.query('SELECT FROM FROM items'))
  await attempt('parameter', () => client.query('SELECT $1::int', ['x']))
  await client.query('DROP TABLE IF EXISTS nope')
  report('notices', notices)
  await client.query("SET statement_timeout = '300ms'")
  const from = [...'stuvwxyzklm'].map(x => 'items ' + x).join(', ')
  await attempt('timeout', () => client.query('SELECT count(*) FROM ' + from + ' WHERE s.a + t.a + u.a + v.a + w.a + x.a + y.a + z.a + k.a + l.a + m.a < 0'))

  const pool = new Pool({ ...config, max: 3 })
  const sums = await Promise.all([1, 2, 3, 4, 5, 6].map(n => pool.query('SELECT sum(a)::int + $1 AS s FROM items', [n])))
  report('pool', sums.map(r => r.rows[0].s))
  await pool.end()
  await client.query('DROP TABLE items')
  await client.end()
}

main(JSON.parse(process.argv[2])).catch(e => {
  console.error(e)
  process.exit(1)
})
