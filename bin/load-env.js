import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

// For `npm run dev`: loads .env if it exists. Variables that are already set keep their value.
// Decoded here, because Node would take a byte-order mark for a part of the first name.
if (existsSync('.env')) {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync('.env'))
  Object.assign(process.env, { ...parseEnv(text), ...process.env })
}
