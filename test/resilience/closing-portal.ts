import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'

// The application without the program around it, which would end the process. It closes at the
// first input.
const app = buildApp(loadConfig())
await app.ready()
process.stdin.once('data', async () => {
  process.stdin.destroy()
  await app.close()
  process.stdout.write('closed\n')
})
