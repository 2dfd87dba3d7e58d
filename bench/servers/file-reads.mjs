// Preloaded into the portal: reads a small file fifty times a second, as a server with name
// look-ups and certificates does, and writes the time and duration (ms) of each read. A busy thread
// pool shows up here.
import { appendFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

const { BENCH_FILE_READS: log } = process.env
const some = new URL(import.meta.url)
setInterval(async () => {
  const start = performance.now()
  await readFile(some)
  appendFileSync(log, `${Date.now()} ${performance.now() - start}\n`)
}, 20).unref()
