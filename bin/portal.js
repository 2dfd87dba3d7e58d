#!/usr/bin/env node
import './require-build.js'

const [command, ...options] = process.argv.slice(2)
const isDev = command === 'dev' && !options.some((option) => option === '--help' || option === '-h')
await import(isDev ? './dev-app.js' : '../dist/src/cli.js')
