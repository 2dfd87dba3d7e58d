import { isUtf8 } from 'node:buffer'
import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

// For `npm run dev`: loads .env if it exists. Variables that are already set keep their value.
// Decoded here, because Node would take a byte-order mark for a part of the first name.
if (existsSync('.env')) {
  const bytes = readFileSync('.env')
  if (!isUtf8(bytes)) throw new Error('The file .env is not UTF-8: save it as UTF-8')
  const given = parseEnv(bytes.toString().replace(/^\uFEFF/, ''))
  Object.assign(process.env, { ...given, ...process.env })
}
