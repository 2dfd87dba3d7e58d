import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import { freshEmail, passwords, temporaryFolder, testDatabaseUrl } from '../support/app.ts'
import { runner, visitor } from './run.ts'

// Commands read every file with src/domain/text-files.ts.

const DATABASE_URL = await testDatabaseUrl(t)
const { ok, run, json } = runner({ DATABASE_URL, NODE_ENV: 'development' })
const folder = temporaryFolder(t)
const fileOf = (name: string, content: string | Buffer) => {
  writeFileSync(path.join(folder, name), content)
  return path.join(folder, name)
}
const latin = (text: string) => Buffer.from(text, 'latin1')

t.test('a password file may have a mark of Windows, and must be UTF-8', async (t) => {
  const email = freshEmail()
  const create = `user create --email ${email} --name Ada --password-file`
  const refused = await run(`${create} ${fileOf('latin', latin('vi\xf6let-Harbour-42-kite\n'))}`)
  t.match(refused, { code: 2, stderr: /latin is not UTF-8: line 1, byte 3\./ })
  await ok(t, `${create} ${fileOf('marked', '\ufeffviölet-Harbour-42-kite\r\n')}`)
  const [row] = await visitor(DATABASE_URL)(({ db }) =>
    db.select().from(users).where(eq(users.emailNormalized, email))
  )
  t.ok(await passwords.verify('viölet-Harbour-42-kite', row?.passwordHash ?? ''))
})

t.test('a flag from a file that is not UTF-8 is not created', async (t) => {
  const flag = JSON.stringify({
    key: 'umlaut',
    type: 'string',
    variants: { on: 'Grüße' },
    defaultVariant: 'on',
    offVariant: 'on'
  })
  for (const command of ['flag create --file', 'import flags', 'segment create --file']) {
    const refused = await run(`${command} ${fileOf('flag.json', latin(flag))}`)
    t.match(refused, { code: 2, stderr: /flag\.json is not UTF-8: line 1, byte \d\d\./ }, command)
  }
  await ok(t, `flag create --file ${fileOf('flag.json', `\ufeff${flag}`)}`)
  t.match(json(await ok(t, 'flag show umlaut --json')), { variants: { on: 'Grüße' } })
})

t.test(
  'the texts that a language lacks are printed, and a mistake in a file is named',
  async (t) => {
    const MAIL_TEXTS = temporaryFolder(t)
    const texts = (tag: string, content: object) =>
      writeFileSync(path.join(MAIL_TEXTS, `${tag}.json`), JSON.stringify(content))
    texts('pt', { 'sign-in': 'Entrar' })
    texts('pt-BR', { 'common.hello-name': 'Olá {name},' })
    const translator = runner({ DATABASE_URL, NODE_ENV: 'development', MAIL_TEXTS })
    const all = translator.json(await translator.ok(t, 'texts it'))
    const { 'sign-in': signIn, 'common.hello-name': hello, ...rest } = all
    t.match([signIn, hello], [/^Sign in$/, /\{name\}/])
    const lacking = await translator.ok(t, 'texts pt-BR')
    t.same(translator.json(lacking), rest, 'without those of the language and of the region')
    t.match(lacking.stderr, `pt-BR lacks ${Object.keys(rest).length} texts.`)
    t.match(await translator.ok(t, 'texts fr'), { stdout: '{}\n', stderr: 'fr has all texts.' })
    t.match(await translator.run('texts french!'), { code: 2, stderr: 'a language tag like it' })
    texts('pt', { 'sign-inn': 'Entrar' })
    t.match(await translator.run('texts pt'), {
      code: 1,
      stderr: 'pt.json: sign-inn is not the key'
    })
  }
)
