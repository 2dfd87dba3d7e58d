import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder } from '../support/app.ts'

/** Writes an app of these files. JavaScript, because Node 20 does not run TypeScript. */
export function appFolder(t: Pick<Test, 'teardown'>, files: Record<string, string>) {
  const folder = path.join(temporaryFolder(t), 'app')
  writeFiles(folder, files)
  return folder
}

export function writeFiles(folder: string, files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** An app whose one route greets the signed-in user. */
export const greeter = {
  'package.json': '{ "type": "module" }',
  'portal.js': "import { defineApp } from 'portal'\nexport default defineApp({})\n",
  'routes/greeting.js': `import { closed, Type } from 'portal'
    export default async (app) => {
      app.get('/greeting', {
        config: { access: 'session' },
        schema: {
          operationId: 'greet',
          summary: 'Greet',
          description: 'Greets the signed-in user.',
          response: { 200: closed({ text: Type.String({ maxLength: 100 }) }, { description: 'A greeting' }) }
        },
        handler: async (request) => ({ text: 'Hello ' + request.user.name })
      })
    }`
}
