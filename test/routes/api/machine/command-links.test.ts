import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../../../db/schema/users.ts'
import { grantRole } from '../../../../src/domain/access/memberships.ts'
import {
  aCaller,
  activityOf,
  aUser,
  freshEmail,
  operator,
  password,
  signedIn,
  testApp
} from '../../../support/app.ts'
import { aMachine } from '../../../support/keys.ts'
import { aConfirmedCaller, mailsOf } from '../../../support/mails.ts'
import { withPasskey } from '../../../support/passkeys.ts'
import { userPermissions } from '../../../support/permissions.ts'
import { scenarios } from '../../../support/scenarios.ts'
import { aRequiringRole } from '../../../support/second-factors.ts'

const app = await testApp(t, { MACHINE_ADMIN: 'on' })

t.test('links are mailed to the user, and are in no response', async (t) => {
  const machine = await aMachine(
    app,
    ...userPermissions,
    'users:create',
    'users:update',
    'flags:read'
  )
  const mails = mailsOf(app)
  const email = freshEmail()
  const body = { email, name: 'Ada', link: 'invitation' }
  const made = await machine.call('POST', '/api/machine/users', body)
  t.equal(made.statusCode, 201, made.body)
  const { id } = made.json()
  const invitation = await mails.token(email, 'invitation')

  const sent = await machine.call('POST', `/api/machine/users/${id}/link`, { kind: 'recovery' })
  t.equal(sent.statusCode, 202)
  t.same(sent.json(), {})
  const recovery = await mails.newest(email, 'recovery')
  t.notMatch(recovery.text, 'Ada', 'the address is not confirmed')
  const token = await mails.token(email, 'recovery')
  t.notMatch(made.body + sent.body, new RegExp(`${token}|${invitation}`))
  const used = await app.inject({
    method: 'POST',
    url: '/api/auth/recovery/confirm',
    payload: { token, newPassword: password }
  })
  t.equal(used.statusCode, 204, used.body)
  t.match(await activityOf(app.database, id), [
    { action: 'auth.recovery' },
    { action: 'user.reset-link', actorId: machine.service.id },
    { action: 'user.invite', actorId: machine.service.id },
    { action: 'user.create' }
  ])
  t.ok(await signedIn(app, email))
})

t.test('a link for a second factor is mailed to a confirmed address only', async (t) => {
  const role = await aRequiringRole(app, 'flags:read')
  const machine = await aMachine(app, ...userPermissions, 'users:update', 'flags:read')
  const { user } = await aConfirmedCaller(app)
  const stranger = await aUser(app.database)
  for (const { id } of [user, stranger]) {
    await grantRole(app.db, operator, { userId: id, role })
  }
  const link = (id: string) => `POST /api/machine/users/${id}/link` as const
  const body = { kind: 'enrolment' }
  const other = await aUser(app.database)
  await scenarios(t, machine.call, [
    ['confirmed', link(user.id), body, 202],
    ['not confirmed', link(stranger.id), body, 403, 'email-unverified'],
    ['without the role', link(other.id), body, 409, 'enrolment-link-not-needed']
  ])
  t.ok(await mailsOf(app).token(user.email, 'factor-enrolment'))
  t.match(await activityOf(app.database, user.id), [
    { action: 'user.enrolment-link', actorId: machine.service.id },
    { action: 'user.role-grant' }
  ])
})

t.test('a user who signs in with a passkey alone is not invited again', async (t) => {
  const machine = await aMachine(app, ...userPermissions, 'users:update')
  const { user } = await withPasskey(t, await aCaller(app))
  await app.db.update(users).set({ passwordHash: null }).where(eq(users.id, user.id))
  const link = `/api/machine/users/${user.id}/link`
  const sent = await machine.call('POST', link, { kind: 'invitation' })
  t.match(sent.json(), { status: 409, code: 'invitation-accepted' })
})

t.test('without mail nobody is created, and no link is sent', async (t) => {
  const silent = await testApp(t, {
    ...{ MACHINE_ADMIN: 'on', development: false },
    PUBLIC_ORIGIN: 'https://portal.example.com'
  })
  const machine = await aMachine(
    silent,
    ...userPermissions,
    'users:create',
    'users:read',
    'users:update'
  )
  const email = freshEmail()
  const { id } = await aUser(silent.database)
  await scenarios(t, machine.call, [
    [
      'invite',
      'POST /api/machine/users',
      { email, name: 'Ada', link: 'invitation' },
      403,
      'mail-off'
    ],
    ['link', `POST /api/machine/users/${id}/link`, { kind: 'recovery' }, 403, 'mail-off'],
    ['nobody', `GET /api/machine/users?email=${email}`, undefined, 200, { items: [] }]
  ])
})
