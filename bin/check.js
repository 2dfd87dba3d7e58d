import { spawn } from 'node:child_process'
import { once } from 'node:events'
import wrap from 'wrap-ansi'
import { checks, groups } from './checks.js'
import { compile } from './compile.js'

// npm run check                       lists the long checks
// npm run check -- NAME [arguments]   runs one

const [name, ...rest] = process.argv.slice(2)
if (name === undefined) list()
else if (Object.hasOwn(checks, name)) await run(checks[name])
else {
  console.error(`There is no check ${name}. There are: ${Object.keys(checks).join(', ')}`)
  process.exitCode = 2
}

function list() {
  const width = Math.max(...Object.keys(checks).map(({ length }) => length)) + 2
  const columns = Math.min(process.stdout.columns ?? 100, 100)
  for (const [when, names] of Object.entries(groups)) {
    console.log(`\n${when}:\n`)
    for (const key of names) {
      const { what, needs, minutes } = checks[key]
      const facts = [`about ${minutes} min`, ...(needs ? [`needs ${needs}`] : [])].join('; ')
      const text = wrap(`${what} (${facts})`, columns - width)
      console.log(key.padEnd(width) + text.replaceAll('\n', `\n${' '.repeat(width)}`))
    }
  }
}

async function run({ run: [file, ...args], env }) {
  if (file.startsWith('.build/')) await compile()
  // Measurements run from their sources, next to the build that they measure.
  const loader = file.startsWith('bench/') ? ['--import', './bin/typescript.js'] : []
  const child = spawn(process.execPath, [...loader, file, ...args, ...rest], {
    stdio: 'inherit',
    env: { ...env, ...process.env }
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const [code] = await once(child, 'exit')
  process.exitCode = code ?? 1
}
