import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')
/** The running processes. */
export const children = new Set()

/** Runs a script until it ends, or writes nothing for `seconds`. `end` says how it failed. */
async function runNode(args, { env, seconds, onOutput, onNext }) {
  const begun = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  children.add(child)
  // tap sends messages of its own.
  child.on('message', (message) => {
    if (message === 'next') child.send(onNext() ?? null)
    if (message?.progress) console.log(message.progress)
  })
  const limit = setTimeout(() => child.kill('SIGKILL'), seconds * 1000)
  const written = { stdout: '', stderr: '' } // onOutput removes what it has reported
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (chunk) => {
      written[name] += chunk
      limit.refresh()
      if (name === 'stdout') onOutput(written)
    })
  }
  const [code, signal] = await once(child, 'close')
  clearTimeout(limit)
  children.delete(child)
  const end = signal ?? (code === 0 ? undefined : `exit code ${code}`)
  return { ...written, end, seconds: (performance.now() - begun) / 1000 }
}

/**
 * Runs test files in one process, and calls `onResult` when one has ended. When the process fails
 * beyond what the files report, the last result is of the file that has not ended, or of all.
 * @param next returns the next file, or undefined
 */
export async function runFiles(next, { nodeOptions, env, timeout, onResult }) {
  const files = []
  const left = []
  let searched = 0 // lines before it are complete, and are not searched again
  let failed = false
  const report = (output, seconds, end) => {
    failed ||= end !== undefined
    const assertions = output.match(/^ +(?:not )?ok \d+(?!.* # time=)/gm)?.length ?? 0
    // How tap reports the end of a test, in the indentation of those that are in no other test.
    const tests = [...output.matchAll(/^ {8}(not )?ok \d+ - (.*) # time=([\d.]+)ms/gm)].map(
      ([, not, title, ms]) => ({ failed: not !== undefined, title, seconds: ms / 1000 })
    )
    const failures = tests.filter(({ failed }) => failed).length
    const name = left.shift() ?? files.join(', ')
    onResult({
      name,
      output,
      assertions,
      tests,
      passes: tests.length - failures,
      failures,
      seconds,
      end: end ?? (assertions > 0 ? undefined : 'no assertion')
    })
  }
  const { stdout, stderr, end, seconds } = await runNode(
    [
      ...nodeOptions,
      '--enable-source-maps',
      ...['--import', './.build/src/module-resolution.js'], // as the entries do
      'test/runner/files.js'
    ],
    {
      env: { ...env, TAP_TIMEOUT: timeout },
      seconds: timeout + 30, // for a test that blocks the process, or leaves something open
      onNext() {
        const file = next()
        if (file !== undefined) {
          files.push(file)
          left.push(file)
        }
        return file
      },
      onOutput(written) {
        // How tap reports the end of a test of this indentation.
        const ended = /^ {4}(not )?ok \d+ - \S+ # time=([\d.]+)ms\n/gm
        ended.lastIndex = searched
        let read = 0
        for (let line = ended.exec(written.stdout); line; line = ended.exec(written.stdout)) {
          const output = written.stdout.slice(read, ended.lastIndex)
          read = ended.lastIndex
          report(output + written.stderr, line[2] / 1000, line[1] && 'failed')
          written.stderr = ''
        }
        written.stdout = written.stdout.slice(read)
        searched = written.stdout.lastIndexOf('\n') + 1
      }
    }
  )
  const rest = stdout + stderr
  if (left.length > 0 || (end && !failed)) report(rest, seconds, end ?? 'it did not end')
}
