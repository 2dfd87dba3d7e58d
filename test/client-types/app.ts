import { createPortal, ok, RejectedCall } from 'portal-client'
import type { Session, User } from 'portal-client'
import { followFlags } from 'portal-client/flags'
import { messageOf, mistakesOf } from 'portal-client/messages'

const portal = createPortal({
  baseUrl: 'https://portal.example.com',
  onProof: async ({ methods }) => methods.includes('password') && portal.proof.password('secret'),
  onSignedOut: ({ name }: User) => console.log(name)
})
followFlags(portal, { interval: 30 })

export async function work(): Promise<string> {
  const session: Session = await portal.signIn({ email: 'ada@example.com', password: 'secret' })
  if (session.is === 'second-factor') await portal.verify({ code: '123456' })
  const { user } = await ok(portal.api.GET('/api/auth/me'))
  try {
    await ok(portal.api.PUT('/api/user/name', { body: { name: 'Ada' } }))
  } catch (error) {
    const code = error instanceof RejectedCall ? error.problem.code : undefined
    if (code === 'permission-denied') return 'Ask an administrator.'
    return messageOf(error, 'de') + Object.values(mistakesOf(error)).join(' ')
  }
  return user.email
}

export async function mistakes() {
  // @ts-expect-error an unknown path
  await portal.api.GET('/api/auth/nothing')
  // @ts-expect-error an unknown field
  await portal.api.PUT('/api/user/name', { body: { nome: 'Ada' } })
  // @ts-expect-error a missing body
  await portal.api.PUT('/api/user/name')
  // @ts-expect-error a method that the path does not have
  await portal.api.DELETE('/api/user/name')
  // @ts-expect-error an operation of administrators, which exists in development only
  await portal.api.GET('/api/admin/users')
  // @ts-expect-error a field of the wrong type
  await portal.signIn({ email: 'ada@example.com', password: 5 })
  // @ts-expect-error a code that no problem has
  console.log(new RejectedCall(undefined, Response.error()).problem.code === 'no-such-code')
  // @ts-expect-error a user that may not be there
  console.log(portal.session.value.user.name)
  // @ts-expect-error a language without sentences
  messageOf(undefined, 'fr')
  // @ts-expect-error a value of an enumeration that does not exist
  await portal.api.PUT('/api/user/theme', { body: { theme: 'purple' } })
}
