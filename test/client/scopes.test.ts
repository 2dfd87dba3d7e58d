import t from 'tap'
import { keepCookies } from '../../src/client/cookies.ts'
import { createPortal } from '../../src/client/portal.ts'
import { aUser, freshEmail, ownApp, password } from '../support/app.ts'
import { confirmed, mailsOf, tokenIn } from '../support/mails.ts'
import { aScopedRole, freshScope, granted } from '../support/scopes.ts'

const app = await ownApp(t)
const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
const mails = mailsOf(app)
function aProgram() {
  let saved: string | undefined
  const store = { load: () => saved, save: (text: string) => (saved = text) }
  return createPortal({ baseUrl, oneUser: true, fetch: keepCookies(store) })
}

t.test('a manager invites a colleague, who may do in the scope what the role allows', async (t) => {
  const role = await aScopedRole(app.database, 'members:manage')
  const scope = freshScope()
  const user = await confirmed(app.database, await aUser(app.database))
  await granted(app.database, user, scope, role)
  const boss = aProgram()
  await boss.signIn({ email: user.email, password })
  t.same(await boss.scopes(), [{ scope, roles: [role] }])
  t.equal(await boss.may('members:manage', { scope }), true)
  t.equal(boss.may('members:manage'), false, 'not everywhere')
  t.equal(await boss.may('members:manage', { scope: freshScope() }), false)

  const email = freshEmail()
  const params = { path: { scope } }
  await boss.api.POST('/api/scopes/{scope}/invitations', { params, body: { email, role } })
  const { text } = await mails.newest(email, 'scope-invitation')
  const colleague = aProgram()
  t.equal(await colleague.may('members:manage', { scope }), false, 'nobody is signed in')
  const body = { token: tokenIn(text), name: 'Zoë', password }
  await colleague.api.POST('/api/auth/invitation/register', { body })
  t.match(colleague.session.value, { is: 'signed-in', user: { email } })
  t.equal(await colleague.may('members:manage', { scope }), true)
  const { data } = await boss.api.GET('/api/scopes/{scope}/members', { params })
  const added = data?.items.find((each) => each.user.email === email)
  const path = { scope, id: added?.user.id ?? '', role }
  await boss.api.DELETE('/api/scopes/{scope}/members/{id}/roles/{role}', { params: { path } })
  t.equal(await colleague.may('members:manage', { scope }), false)
})
