import { rmSync } from 'node:fs'
import path from 'node:path'

// npm run build, before tsc: what a source no longer has must not stay in the build.
rmSync(path.join(import.meta.dirname, '../dist'), { recursive: true, force: true })
