// Preloaded into the portal: reads a file of ordinary size fifty times a second, as a server does that looks up names and serves
// certificates, and writes how long each reading took (the time, and milliseconds). What fills the thread pool shows here.
import { appendFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

const { BENCH_FILE_READS: log } = process.env
const some = new URL(import.meta.url)
setInterval(async () => {
  const start = performance.now()
  await readFile(some)
  appendFileSync(log, `${Date.now()} ${performance.now() - start}\n`)
}, 20).unref()
