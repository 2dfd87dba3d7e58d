import { build } from 'esbuild'
import path from 'node:path'
import t from 'tap'
import { createFlag } from '../../src/domain/flags/flags.ts'
import { aUser, operator, password, until } from '../support/app.ts'
import { blocksOf } from '../support/documents.ts'
import { root } from '../support/root.ts'
import { letProofsAge } from '../support/second-factors.ts'
import { startClientApp } from './client-page.ts'

// The examples of docs/lookup/client.md, bundled as an app does it, with the package as it is released.

const blocks = new Map(
  blocksOf('docs/lookup/client.md').flatMap(({ file, text }) =>
    file ? [[file, text] as const] : []
  )
)

/** A script that runs a text which may import the examples and the package. */
const scriptWith = (text: string) => async (packageFolder: string) => {
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir: path.join(root, 'test'), loader: 'jsx' },
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    write: false,
    nodePaths: [path.join(root, 'node_modules')],
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'examples',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^portal-client/ }, ({ path: name }) => ({
            path: path.join(packageFolder, `${name.split('/')[1] ?? 'portal'}.js`)
          }))
          onResolve({ filter: /^\.\/[\w-]+\.(ts|jsx?)$/ }, ({ path: name }) =>
            blocks.has(name.slice(2)) ? { path: name.slice(2), namespace: 'example' } : undefined
          )
          onLoad({ filter: /./, namespace: 'example' }, ({ path: name }) => ({
            contents: blocks.get(name) ?? '',
            loader: 'tsx',
            resolveDir: path.join(root, 'test')
          }))
        }
      }
    ]
  })
  return outputFiles[0]?.text ?? ''
}

const { app, visit } = await startClientApp(
  t,
  {},
  {
    '/react.js': scriptWith(`
    document.body.append(Object.assign(document.createElement('div'), { id: 'root' }))
    await import('./app.jsx')
  `),
    '/plain.js': scriptWith(`
    import * as examples from './portal.ts'
    import { portal as asking } from './asking.js'
    import { inGerman, atFields } from './messages.js'
    Object.assign(window, { ...examples, asking, inGerman, atFields })
    const [dialog, form, input] = ['dialog', 'form', 'input'].map((name) => document.createElement(name))
    form.method = 'dialog'
    form.append(input, Object.assign(document.createElement('button'), { textContent: 'Go on' }))
    dialog.append(form)
    document.body.append(dialog)
  `)
  }
)
await createFlag(app.db, operator, {
  key: 'new-greeting',
  type: 'boolean',
  variants: { on: true, off: false },
  defaultVariant: 'on',
  offVariant: 'off',
  public: false
})

t.test('an app in React signs in, shows a flag of the user, and signs out', async (t) => {
  const user = await aUser(app.database)
  const page = await visit('/react.js')
  await page.getByLabel('E-mail address').fill(user.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Welcome, ').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  t.equal(await page.getByText('Welcome').count(), 0)
})

interface Examples {
  begin(email: string, password: string): Promise<string>
  asking: { api: { POST(path: string): Promise<{ response: Response }> } }
  inGerman(error: unknown): string
}

t.test('the other examples sign in, ask for the password and tell errors', async (t) => {
  const user = await aUser(app.database)
  const page = await visit('/plain.js')
  const inPage = async <T>(
    work: (examples: Examples, user: { email: string; password: string }) => T
  ): Promise<Awaited<T>> => {
    const handle = await page.evaluateHandle(() => window as unknown as Examples)
    return (await handle.evaluate(
      work as never,
      { email: user.email, password } as never
    )) as Awaited<T>
  }
  t.match(
    await inPage(({ begin, inGerman }, { email }) =>
      begin(email, 'something else').catch(inGerman)
    ),
    /^Die E-Mail-Adresse oder das Passwort ist falsch/
  )
  t.type(await inPage(({ begin }, { email, password }) => begin(email, password)), 'string')
  await letProofsAge(app, user)
  const call = inPage(({ asking }) =>
    asking.api.POST('/api/user/passkeys/options').then(({ response }) => response.status)
  )
  await until(async () => (await page.locator('dialog:modal').count()) > 0)
  await page.locator('dialog input').fill(password)
  await page.getByRole('button', { name: 'Go on' }).click()
  t.equal(await call, 200)
})
