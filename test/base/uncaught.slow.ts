import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { temporaryFolder, testDatabaseUrl } from '../support/app.ts'
import { appFolder } from '../support/app-folder.ts'
import { built } from '../support/root.ts'
import { startServer } from '../support/server-process.ts'

t.test('a promise that nobody awaits ends the process, and its place is logged', async (t) => {
  const app = appFolder(t, {
    'routes/late.js': `export default async (app) => {
      const schema = { response: { 200: {} } }
      app.post('/late', { config: { access: 'public' }, schema }, async () => {
        void (async () => {
          throw new Error('too late')
        })()
        return {}
      })
    }`
  })
  const folder = temporaryFolder(t)
  const script = path.join(folder, 'server.mjs')
  writeFileSync(
    script,
    `import { createApp } from '${pathToFileURL(path.join(built, 'src/base/index.js')).href}'
    const app = await createApp({ app: '${app}' })
    await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })`
  )
  const env = {
    NODE_ENV: 'development',
    ALLOWED_HOSTS: '127.0.0.1',
    DATABASE_URL: await testDatabaseUrl(t),
    SECRET_KEYS: `k1:${randomBytes(32).toString('base64url')}`
  }
  const server = await (await startServer(t, env, folder, script)).ready()
  await fetch(`${server.base}/api/late`, { method: 'POST' }).catch(() => {})
  t.equal(await server.exit, 1)
  t.match(server.output(), /nothing caught an error of the app.*"place":"[^"]*routes\/late\.js:5"/)
})
