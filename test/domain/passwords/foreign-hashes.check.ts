import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { foreignHashForm } from '../../../db/schema/users.ts'
import { keycloakHash } from '../../../src/commands/import-fields.ts'
import { matchesForeign } from '../../../src/domain/passwords/foreign-comparison.js'
import { firebaseHash, storedForm } from '../../../src/domain/passwords/foreign-forms.ts'
import type { FirebaseParameters } from '../../../src/domain/passwords/foreign-forms.ts'
import { debianPackages } from '../../resilience/debian.ts'
import { root } from '../../support/root.ts'

// Hashes of random passwords with random parameters, which libraries of Python made as each system
// does, match their passwords only.

interface Made {
  name: string
  password: string
  hash?: string
  keycloak?: Record<string, string>
  user?: { passwordHash: string; salt: string }
  parameters?: FirebaseParameters
}

await debianPackages('python3-passlib', 'python3-django', 'python3-argon2', 'python3-cryptography')
const rounds = 20
const seed = randomInt(2 ** 31)
const script = path.join(root, 'test/domain/passwords/hashes.py')
const { stdout } = await promisify(execFile)('/usr/bin/python3', [script, `${rounds}`, `${seed}`])
const made = stdout
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Made)

function storedOf({ hash, keycloak, user, parameters }: Made) {
  if (user && parameters) return firebaseHash(user, parameters)
  return keycloak ? keycloakHash(keycloak) : storedForm(hash ?? '')
}

for (const name of new Set(made.map((each) => each.name))) {
  t.test(`${rounds} hashes of ${name} match their passwords only (seed ${seed})`, async (t) => {
    const own = made.filter((each) => each.name === name)
    t.equal(own.length, rounds)
    for (const each of own) {
      const stored = storedOf(each)
      t.match(stored, foreignHashForm)
      t.equal(await matchesForeign(each.password, stored), true, each.password)
      t.equal(await matchesForeign(`${each.password}x`, stored), false)
      t.equal(await matchesForeign(each.password.slice(1), stored), false)
    }
  })
}
