import { spawnSync } from 'node:child_process'
import { built } from './root.ts'

const loader =
  'import { writeSync } from "node:fs"; export const load = (url, context, next) => { writeSync(2, url + "\\n"); return next(url, context) }'
const register = `import { register } from "node:module"; register("data:text/javascript,${encodeURIComponent(loader)}")`

/**
 * The URLs of all modules that a script loads, and the names of those in Node, in a separate
 * process, because this one has loaded most of them. The script imports compiled files:
 * `./src/app.js`.
 */
export function modulesOf(script: string): string[] {
  const { stderr, status } = spawnSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(register)}`,
      '--input-type=module',
      '--eval',
      `${script}\n;console.error(process.moduleLoadList.join('\\n'))`
    ],
    { cwd: built, encoding: 'utf8', env: { PATH: process.env.PATH } }
  )
  if (status !== 0) throw new Error(stderr.slice(-500))
  return stderr.split('\n')
}
