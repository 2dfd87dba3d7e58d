import t from 'tap'
import { modulesOf } from '../../support/loaded-modules.ts'

const loadsArgon2 = (script: string) =>
  modulesOf(script).some((url) => url.includes('node_modules/@node-rs/argon2/'))
const compareWith = (hash: string) => `
  const { compare } = await import("./src/domain/passwords/comparison.js")
  await compare({ password: "x", hash: "${hash}", work: { cost: 4, foreign: {} } })`

t.test('Argon2 is loaded for the first hash that needs it, and for no other', async (t) => {
  const rest = `${'a'.repeat(22)}:${'a'.repeat(43)}`
  t.notOk(
    loadsArgon2('await import("./plugins/services.js"); await import("./src/commands/import.js")')
  )
  t.notOk(loadsArgon2(compareWith(`$2b$04$${'a'.repeat(53)}`)))
  t.notOk(loadsArgon2(compareWith(`f1:pbkdf2-sha256:10000:${rest}`)))
  t.ok(loadsArgon2(compareWith(`f1:argon2id:1024.1.1:${rest}`)))
})
