// Not on PGlite: it uses no database.

import { readdirSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import t from 'tap'
import ts from 'typescript'
import { estimateRows } from '../../db/server-info.ts'
import { onPglite, testDatabase } from '../support/app.ts'
import { unportable } from '../support/portable-sql.ts'
import { files, textOf } from '../support/sources.ts'

const verbs =
  'select|insert|update|delete|with|begin|commit|rollback|savepoint|create|alter|drop|set|reset|' +
  'lock|listen|unlisten|notify|explain|prepare|execute|deallocate|declare|fetch|discard|do|call'
const isStatement = (text: string) => new RegExp(`^\\s*(${verbs})\\b`, 'i').test(text)

const mayHaveSql = new RegExp(`\\bsql[<\`]|['"\`]\\s*(${verbs})\\b`, 'i')

/** Texts in a source that are SQL: templates of Drizzle, and texts that begin like a statement. */
function statementsIn(file: string) {
  if (!mayHaveSql.test(textOf(file))) return []
  const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node) => {
    const text = literal(node)
    const isTagged =
      ts.isTaggedTemplateExpression(node.parent ?? node) &&
      (node.parent as ts.TaggedTemplateExpression).tag.getText() === 'sql'
    const isPart =
      node.parent && literal(node.parent) !== undefined && ts.isBinaryExpression(node.parent)
    if (text !== undefined && !isPart && (isTagged || isStatement(text))) found.push(text)
    node.forEachChild(visit)
  }
  visit(source)
  return found
}

/** The text of a literal or of a sum of them, with `$` for what is inserted. */
function literal(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map((span) => `$${span.literal.text}`).join('')
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [literal(node.left), literal(node.right)]
    return left === undefined ? undefined : left + (right ?? '$')
  }
}

const statements = files.flatMap((file) => statementsIn(file).map((text) => ({ file, text })))

t.test('statements in the sources are portable', async (t) => {
  t.same(
    statements.flatMap(({ file, text }) =>
      unportable(text, file).map((rule) => `${file}: ${rule}: ${text}`)
    ),
    // doctor does without where an engine has no such table.
    [
      'src/commands/database-findings.ts: temporary object: ' +
        'create temporary table portal_storage (row text) on commit drop'
    ]
  )
  const has = (file: string, text: RegExp) =>
    t.ok(
      statements.some((each) => each.file === file && text.test(each.text)),
      `a statement of ${file} was read`
    )
  has('db/postgres/engine.ts', /^begin isolation level read committed$/)
  has('db/epochs.ts', /pg_is_in_recovery/)
  has('db/migrate.ts', /^create table .* serial/)
  has('db/postgres/engine.ts', /pg_try_advisory_xact_lock/)
  has('src/domain/keyset.ts', /order by/)
  t.ok(statements.length > 150, `${statements.length} were read`)
})

t.test('migrations are portable', async (t) => {
  const names = readdirSync(path.join(import.meta.dirname, '../../db/migrations'))
  const migrations = names.filter((name) => name.endsWith('.sql'))
  t.ok(migrations.length > 0)
  for (const name of migrations) {
    for (const statement of textOf(`db/migrations/${name}`).split('--> statement-breakpoint')) {
      t.same(unportable(statement), [], `${name}: ${statement}`)
    }
  }
})

t.test('each rule finds what it names, and nothing else', async (t) => {
  for (const [rule, ...examples] of [
    ['advisory lock', 'select pg_advisory_lock(1)', 'select pg_try_advisory_xact_lock(1)'],
    ['listen and notify', 'listen changes', 'notify changes, $1', "select pg_notify('a', 'b')"],
    ['table lock', 'lock table users', 'LOCK "users" IN SHARE MODE'],
    ['session state', 'discard all', 'reset role'],
    [
      'session setting',
      'set role x',
      'SET LOCAL lock_timeout = 1',
      "select set_config('a', 'b', true)"
    ],
    ['temporary object', 'create temp table x (y int)', 'CREATE TEMPORARY VIEW x AS SELECT 1'],
    ['deferred constraint', 'alter table x add unique (y) deferrable'],
    [
      'sequence',
      "select nextval('x')",
      'create table x (id bigserial)',
      'id int generated always as identity'
    ],
    [
      'trigger or function',
      'create trigger x before insert on y',
      'create function x() returns int',
      'do $$ begin end $$'
    ],
    ['cursor', 'declare x cursor for select 1'],
    ['two-phase commit', "commit prepared 'x'"],
    ['place of a row', 'delete from x where ctid = any($1)']
  ] as const) {
    for (const example of examples) t.same(unportable(example), [rule], example)
  }
  for (const fine of [
    'update users set name = $1 where id = $2 for no key update skip locked',
    'insert into x values ($1) on conflict (a) where b is null do update set c = excluded.c',
    'alter role portal set lock_timeout = 1',
    "select 'the listener' as notification"
  ]) {
    t.same(unportable(fine), [], fine)
  }
})

t.test(
  'a test fails when the portal sends a statement that is not portable',
  { skip: onPglite && 'every statement is sent to PostgreSQL as well' },
  async (t) => {
    const { db } = await testDatabase(t)
    // Built at run time, so that no reading of sources finds it.
    const statement = sql.raw(`select pg_${'notify'}('a', 'b')`)
    const refused = /not portable \(listen and notify\): explain select pg_notify/
    await t.rejects(estimateRows(db, statement), refused)
    await t.rejects(
      db.transaction(async (tx) => estimateRows(tx, statement)),
      refused
    )
    await t.resolves(db.execute(statement), 'a test may send one')
  }
)
