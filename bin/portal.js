#!/usr/bin/env node
import './require-build.js'

await import('../dist/src/cli.js')
