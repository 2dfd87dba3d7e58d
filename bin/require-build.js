import { existsSync } from 'node:fs'

// Node's own message would be a stack trace about a missing module.
if (!existsSync(new URL('../dist/src/cli.js', import.meta.url))) {
  process.stderr.write(
    'The portal is not built. Run: npm run build\nTo try it out without a build: npm run dev\n'
  )
  process.exit(1)
}
