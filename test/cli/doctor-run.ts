import postgres from 'postgres'
import type { Test } from 'tap'
import { testDatabaseUrl } from '../support/app.ts'
import { portal } from './run.ts'
import type { Run } from './run.ts'

interface Finding {
  check: string
  result: 'ok' | 'warning' | 'problem'
  finding: string
  todo?: string
}

/** The findings of `portal doctor`. */
async function findingsOf(env: Record<string, string>) {
  const { stdout } = await portal(['doctor', '--json'], { env })
  const findings = JSON.parse(stdout) as Finding[]
  return (check: string) => findings.find((finding) => finding.check === check)
}

/** A database of its own, a client that owns it, and what doctor says about it. */
export async function examined(t: Test) {
  const url = await testDatabaseUrl(t)
  const client = postgres(url, { max: 1, onnotice: () => {} })
  t.teardown(() => client.end())
  const env = { DATABASE_URL: url }
  return {
    url,
    env,
    client,
    finding: async (check: string, more: Record<string, string> = {}) =>
      (await findingsOf({ ...env, ...more }))(check),
    run: (command: string, more: Record<string, string> = {}) =>
      portal(command.split(' '), { env: { ...env, ...more } }),
    /** Does what a finding says: runs its commands, and its statements as the owner. */
    async mend({ todo = '' }: Finding = { check: '', result: 'ok', finding: '' }) {
      const commands = [...todo.matchAll(/(?:^|[ :])portal ((?:\S+ ?)+)$/gm)].map(
        ([, line]) => line
      )
      const statements = todo.match(/[A-Z]+ [^;\n]*;/g) ?? []
      const runs: Run[] = []
      for (const command of commands) {
        runs.push(await portal(`${command}`.trim().split(' '), { env }))
      }
      for (const statement of statements) await client.unsafe(statement)
      if (commands.length + statements.length === 0) throw new Error(`nothing to run in: ${todo}`)
      return runs
    }
  }
}
