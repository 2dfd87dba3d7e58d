import { Readable } from 'node:stream'
import { parentPort } from 'node:worker_threads'
import { run } from '../../src/commands/run.ts'
import '../support/slack.ts'

export interface Command {
  args: string[]
  env: Record<string, string>
  input: string
}

// Runs commands one after the other, each with its own environment and standard streams.
// A thread has its own `process`, so the test and tap are not affected.
parentPort?.on('message', async ({ args, env, input }: Command) => {
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (text: string | Uint8Array) => {
      printed[name] += String(text)
      return true
    }
  }
  Object.defineProperty(process, 'stdin', {
    value: Readable.from(input ? [Buffer.from(input)] : []),
    configurable: true
  })
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  const code = await run(args)
  parentPort?.postMessage({ code, ...printed })
})
