import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import type * as packages from '../../bin/client-package.js'
import { blocksOf } from '../support/documents.ts'
import { installPackages } from '../support/packages.ts'
import { root } from '../support/root.ts'

// The package portal-client in the hands of an app, with each version of TypeScript.

const { writeClient } = (await import(path.join(root, 'bin/client-package.js'))) as typeof packages
const folder = await installPackages('client-types', 'app.ts', 'app.tsx', 'tsconfig.json')
const target = path.join(folder, 'node_modules/portal-client')
mkdirSync(target, { recursive: true })
await writeClient(target)
// The samples of the page, for whoever copies them into a project with TypeScript.
for (const { file, text } of blocksOf('docs/lookup/client.md')) {
  if (file?.endsWith('.ts')) writeFileSync(path.join(folder, file), text)
}

for (const version of ['typescript-5.4', 'typescript-5.9', 'typescript-7']) {
  t.test(
    `with ${version}, an app and the samples for it compile, and ten mistakes in calls do not`,
    async (t) => {
      const compiler =
        version === 'typescript-7'
          ? path.join(root, 'node_modules/@typescript/native-preview/bin/tsgo')
          : path.join(folder, 'node_modules', version, 'bin/tsc')
      const { stdout } = await promisify(execFile)(process.execPath, [
        compiler,
        '-p',
        folder
      ]).catch((error: { stdout: string }) => error)
      t.equal(stdout, '')
    }
  )
}
