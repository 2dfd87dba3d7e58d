import path from 'node:path'
import './tap-hooks.js'
import t from 'tap'

// Runs the test files that the parent process names, one after the other, each as a test of its own.
// A further file in a process takes half of the time: everything is loaded and compiled already.

const built = path.join(import.meta.dirname, '../../.build')
/** Calls on the test that `tap` exports. While a file runs, they go to the test of the file. */
const methods = [
  ...[
    'test',
    'beforeEach',
    'afterEach',
    'teardown',
    'after',
    'comment',
    'fail',
    'pass',
    'ok',
    'notOk'
  ],
  ...['equal', 'not', 'same', 'match', 'notMatch', 'rejects', 'throws']
]
const root = Object.fromEntries(methods.map((name) => [name, t[name]]))
/** The test of the file that is running. */
let running = t
const timeout = Number(process.env.TAP_TIMEOUT) * 1000

process.on('uncaughtException', (error) => running.threw(error))
t.setTimeout(0)
// One test around all files, because tap takes an idle root for finished.
t.test('files', { timeout: 0 }, async (all) => {
  for (let file = await nextFile(); file !== null; file = await nextFile()) {
    await all.test(file, { timeout }, async (own) => {
      running = own
      for (const name of methods) t[name] = (...args) => own[name](...args)
      await import(path.join(built, file.replace(/\.ts$/, '.js')))
    })
    Object.assign(t, root)
  }
  process.disconnect()
})

/** The next file to run, or null. */
function nextFile() {
  return new Promise((resolve) => {
    process.once('message', resolve)
    process.channel.ref() // tap lets the process end while it waits
    process.send('next')
  })
}
