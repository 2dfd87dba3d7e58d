import { execSync, spawn } from 'node:child_process'
import path from 'node:path'
import { claimsOf, measureNodes, rowOf } from '../../bench/nodes.ts'
import { root } from '../support/root.ts'
import { installNode, supported } from './versions.ts'
import type { Node } from './versions.ts'

// `npm run check -- nodes [VERSION…]`, such as 22 or 22.18.0: the tests on each version of Node, and
// then a portal in production with 50,000 sessions in use and logins, and its memory.

const named = process.argv.slice(2)
const problems: string[] = []
const rows: Record<string, object> = {}
const installed: Node[] = []
for (const wanted of named.length > 0 ? named : supported) {
  try {
    installed.push(await installNode(wanted))
  } catch (error) {
    rows[wanted] = { tests: 'not to be had' }
    problems.push(`Node ${wanted} is not to be had: ${String(error)}`)
  }
}
execSync('npm run build', { cwd: root, stdio: 'inherit' })

for (const { version, file } of installed) {
  process.stdout.write(`\nNode ${version}\n`)
  const { code, output } = await test(file)
  const [tests = 'did not end'] = /^\d+ tests passed, \d+ failed/m.exec(output) ?? []
  rows[version] = { tests }
  if (code !== 0) problems.push(`Node ${version}: the tests failed`)
}
for (const node of installed) {
  try {
    for (const figures of await measureNodes([node], 1)) {
      rows[node.version] = { ...rows[node.version], ...rowOf(figures) }
      const missed = claimsOf(figures).filter(({ holds }) => !holds)
      for (const { what, measured, required } of missed) {
        problems.push(`${what}: ${measured}, required: ${required}`)
      }
    }
  } catch (error) {
    problems.push(`Node ${node.version}: ${String(error)}`)
  }
}
console.table(rows)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

/** Runs the tests, and shows their output. What they start finds this version as well. */
async function test(file: string) {
  const PATH = `${path.dirname(file)}${path.delimiter}${process.env.PATH}`
  const child = spawn(file, ['test/run.js'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PATH }
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    process.stdout.write(chunk)
    output += chunk
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, output }
}
