import t from 'tap'
import { deleteUser } from '../../../../src/domain/administration/users.ts'
import { enqueueMail } from '../../../../src/domain/outbox/enqueue.ts'
import { samples } from '../../../mail/samples.ts'
import { aCaller, aRole, aUser, operator, testApp } from '../../../support/app.ts'

const app = await testApp(t)
const { call, user: admin } = await aCaller(app, 'admin')
type Call = typeof call

const labelOf = ({ id, name, email }: { id: string; name: string; email: string }) => ({
  id,
  name,
  email
})

async function aMailOf({ id, email }: { id: string; email: string }) {
  const { mail } = app.context
  if (!mail) throw new Error('no mail can be written')
  const content = samples['new-device']
  await app.db.transaction((tx) =>
    enqueueMail(tx, mail, { to: email, reader: {}, content }, { userId: id })
  )
}
const mailOf = async (by: Call, { id }: { id: string }) =>
  (await by('GET', '/api/admin/outbox'))
    .json()
    .items.find(({ userId }: { userId: string }) => userId === id)

t.test('sessions name their users, in the list and alone', async (t) => {
  const { user } = await aCaller(app)
  const [session] = (await call('GET', `/api/admin/sessions?userId=${user.id}`)).json().items
  t.same(session.user, labelOf(user))
  t.same((await call('GET', `/api/admin/sessions/${session.id}`)).json(), session)
})

t.test('mail names its user, until the account is deleted', async (t) => {
  const user = await aUser(app.database)
  await aMailOf(user)
  t.same((await mailOf(call, user)).user, labelOf(user))
  await deleteUser(app.context, operator, { id: user.id })
  t.match(await mailOf(call, user), { userId: user.id, user: null })
})

t.test('activity names the users who acted and on whom others acted', async (t) => {
  const user = await aUser(app.database)
  await call('PATCH', `/api/admin/users/${user.id}`, { name: 'Grace Hopper' })
  const [record] = (await call('GET', `/api/admin/activity?targetId=${user.id}`)).json().items
  t.same(record.actor, labelOf(admin))
  t.same(record.target, { ...labelOf(user), name: 'Grace Hopper' }, 'by their present name')
  t.same((await call('GET', `/api/admin/activity/${record.id}`)).json(), record)
})

t.test('without users:read nobody is named', async (t) => {
  const user = await aUser(app.database)
  await aMailOf(user)
  const role = await aRole(app.database, 'sessions:read', 'outbox:read', 'activity:read')
  const { call: limited, user: own } = await aCaller(app, role)
  const [session] = (await limited('GET', `/api/admin/sessions?userId=${own.id}`)).json().items
  t.match(session, { userId: own.id, user: null })
  t.match((await limited('GET', `/api/admin/sessions/${session.id}`)).json(), { user: null })
  t.match(await mailOf(limited, user), { user: null })
  const [record] = (await limited('GET', `/api/admin/activity?targetId=${own.id}`)).json().items
  t.match(record, { targetId: own.id, actor: null, target: null })
})
