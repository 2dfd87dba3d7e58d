import { randomBytes } from 'node:crypto'
import t from 'tap'
import { importUsers, judgeUsers, readRoleIds } from '../../src/domain/administration/import.ts'
import { prepareUser } from '../../src/domain/administration/import-lines.ts'
import { createSealing } from '../../src/domain/sealing.ts'
import { aRole, freshEmail, operator, testDatabase } from '../support/app.ts'

const database = await testDatabase(t)
const { db } = database

t.test(
  'a batch with the most roles and provider accounts that lines may have is stored',
  async (t) => {
    const keys: string[] = []
    for (let i = 0; i < 70; i++) keys.push(await aRole(database, 'users:read'))
    const roles = await readRoleIds(db)
    const rows = Array.from({ length: 1000 }, (_, i) => {
      const email = freshEmail()
      const row = prepareUser(
        { email, name: 'Ada', roles: keys },
        { roles, providerOf: () => undefined }
      )
      const providers = Array.from({ length: 10 }, (_, n) => ({
        provider: 'acme',
        issuer: 'https://acme.example',
        subject: `${email}-${i}-${n}`,
        email: null,
        createdAt: new Date()
      }))
      return { ...row, providers }
    })
    t.ok((await judgeUsers(db, rows)).every((verdict) => verdict === 'new'))
    const sealing = createSealing([{ kid: 'test', secret: randomBytes(32) }])
    const created = await importUsers(db, operator, { users: rows, roles, sealing })
    t.equal(created.length, 1000)
  }
)
