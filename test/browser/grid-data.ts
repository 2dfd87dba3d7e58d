import type { FastifyInstance } from 'fastify'
import { fillSample } from '../../src/sample/fill.ts'
import { createIds } from '../../src/sample/ids.ts'
import { makePeople } from '../../src/sample/people.ts'
import { aUser, callerOf } from '../support/app.ts'
import { aService, aServiceKey, fillKeys } from '../support/keys.ts'
import { rules } from '../support/test-config.ts'
import { fillHostile, longAddress } from './hostile-data.ts'

/** What a view shows: nothing, data as it is, or the worst. */
export const kinds = ['empty', 'real', 'hostile'] as const
export type Kind = (typeof kinds)[number]

/** Fills a portal, and returns an administrator, and what the addresses of views name. */
export async function fillWith(kind: Kind, app: FastifyInstance) {
  const email = kind === 'hostile' ? longAddress('me') : 'admin@example.com'
  const admin = await aUser(app.database, email)
  const names = { id: admin.id, role: 'user', flag: 'no-such-flag', service: 'no-such-service' }
  if (kind === 'hostile') Object.assign(names, await fillHostile(app, admin.id))
  if (kind === 'real') {
    const now = new Date()
    await fillSample({ db: app.db, sealing: app.services.sealing, sessionRules: rules }, now)
    const [person] = makePeople(now, createIds())
    Object.assign(names, { id: person?.id, role: 'sample-support', flag: 'sample.new-checkout' })
    const service = await aService(app.database, 'sample-support')
    await aServiceKey(app.database, service)
    await fillKeys(app.database, { userId: names.id }, 2)
    Object.assign(names, { service: service.key })
  }
  return { names, ...(await callerOf(app, admin, 'admin')) }
}
