import { createRequire } from 'node:module'
import path from 'node:path'
import t from 'tap'
import type * as linters from '../bin/lint/install.js'
import { root } from './support/root.ts'

interface Linter {
  lintText: (
    code: string,
    options: { filePath: string }
  ) => Promise<{ messages: { ruleId: string | null }[] }[]>
}

const folder = path.join(root, 'bin/lint')
const { installLinters } = (await import(path.join(folder, 'install.js'))) as typeof linters
installLinters()
const { ESLint } = createRequire(path.join(folder, 'package.json'))('eslint') as {
  ESLint: new (options: { cwd: string; overrideConfigFile: string }) => Linter
}
// Some rules of the configuration allow to some files what they refuse elsewhere.
const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: path.join(folder, 'eslint.config.js')
})
async function found(code: string, file = 'src/domain/planted.ts') {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: path.join(root, file) })
  return result?.messages.map(({ ruleId }) => ruleId).filter((rule) => rule?.startsWith('no-r'))
}

const planted = {
  'no-restricted-properties': ['export const { env } = process', 'export const it = process.env.A'],
  'no-restricted-syntax': [
    'export const it = eq(sessions.id, actor.sessionId)',
    'await tx.insert(sessions).values({})',
    'await tx\n  .insert(\n    sessions\n  )',
    'export const it = sql`insert into sessions (id) values (1)`',
    'export const it = sql`INSERT INTO "sessions" (id) values (1)`',
    // eslint-disable-next-line no-template-curly-in-string
    'export const it = sql`insert into ${sessions} (id) values (1)`',
    'await db.insert(users)',
    'await db\n  .update(users)\n  .set({})',
    'await app.db.delete(users)',
    'await services.db.execute(statement)',
    'await record(db, actor, {})',
    'await recordAll(app.db, actor, [])',
    "export const it = readFileSync(file, 'utf8')",
    "export const it = await readFile(file, 'utf-8')",
    "import { text } from 'node:stream/consumers'"
  ]
}
for (const [rule, violations] of Object.entries(planted)) {
  for (const code of violations) {
    t.test(`${rule} rejects: ${code}`, async (t) => t.same(await found(code), [rule]))
  }
}

t.test('the files that the rules are about may do it', async (t) => {
  for (const [file, code] of [
    ['src/config/config.ts', 'export const it = process.env'],
    ['src/domain/actor.ts', 'export const it = eq(sessions.id, actor.sessionId)'],
    ['src/domain/sign-in/start-session.ts', 'await tx.insert(sessions).values({})'],
    ['db/migrate.ts', 'await db.execute(statement)'],
    ['db/pglite/lock.ts', "export const it = readFileSync(file, 'utf8')"]
  ] as const) {
    t.same(await found(code, file), [], file)
    t.not((await found(code))?.length, 0, 'but not others')
  }
})

t.test('tests in a browser hold no code in strings', async (t) => {
  const file = 'test/browser/planted.ts'
  for (const code of ["await page.evaluate('1')", 'await page.evaluate(`1`)']) {
    t.same(await found(code, file), ['no-restricted-syntax'])
  }
  t.same(await found('await page.evaluate(() => 1)', file), [])
})

t.test('within a transaction everything may be written', async (t) => {
  t.same(await found('await tx.insert(users).values({})\nawait record(tx, actor, {})'), [])
})
