import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { tokens } from '../../db/schema/tokens.ts'
import { freshEmail, password, signedIn } from './app.ts'
import type { SoftPasskey } from './authenticator.ts'
import { aConfirmedCaller, mailsOf, tokenIn } from './mails.ts'
import type { MailKind } from './mails.ts'
import { passkeySignIn } from './passkeys.ts'
import { clientOf } from './requests.ts'
import { enrol, sessionsOf } from './second-factors.ts'

export const ownersPassword = 'taken back by its owner'

/** The actions of owners and thieves of an account. */
export function takingBack(app: FastifyInstance) {
  const mails = mailsOf(app)
  const { post, login, me, rowOf } = clientOf(app)
  const { callerWith } = sessionsOf(app)
  const newPassword = ownersPassword

  /** The oldest mail of a kind with a link, at an address. */
  async function firstLink(address: string, kind: MailKind) {
    const all = await mails.to(address)
    const found = all.find((mail) => mail.kind === kind && mail.text.includes('?token='))
    return found && tokenIn(found.text)
  }

  return {
    mails,
    post,
    login,
    me,
    rowOf,
    firstLink,
    /** A user with a confirmed address, and a session of a thief with the password. */
    async aVictim(...roles: string[]) {
      const { user, cookie, call } = await aConfirmedCaller(app, ...roles)
      const stolen = await signedIn(app, user.email)
      return { user, cookie, call, thief: { cookie: stolen, call: callerWith(stolen) } }
    },
    /** A session of somebody with the password, in another browser. */
    async signedInAs({ email }: { email: string }, secret = password) {
      const cookie = await signedIn(app, email, {}, secret)
      return { cookie, call: callerWith(cookie) }
    },
    /** Sets up an app, and continues with the new cookie. */
    async withApp(caller: { cookie: string; call: ReturnType<typeof callerWith> }) {
      const { cookie, ...own } = await enrol(app, caller.call)
      return { ...own, cookie, call: callerWith(cookie) }
    },
    /** Leaves no link to take the account back, as 72 hours after the last change. */
    forgetLinks: ({ id }: { id: string }) => app.db.delete(tokens).where(eq(tokens.userId, id)),
    /** Changes the address with a session, and returns the new one. */
    async move(cookie: string, currentPassword?: string, email = freshEmail()) {
      const asked = await callerWith(cookie)('PUT', '/api/user/email', {
        email,
        ...(currentPassword !== undefined && { currentPassword })
      })
      if (asked.statusCode !== 202) throw new Error(asked.body)
      const token = await mails.token(email, 'email-change')
      const response = await post('/api/user/email/confirm', { token }, cookie)
      if (response.statusCode !== 200) throw new Error(response.body)
      return email
    },
    revertEmail: (token: string) => post('/api/auth/email/revert', { token, newPassword }),
    revertFactors: (token: string) => post('/api/auth/factors/revert', { token, newPassword }),
    /** Recovers by mail, as the owner of the mailbox. */
    async recover(email: string) {
      await post('/api/auth/recovery', { email })
      const token = await mails.token(email, 'recovery')
      return post('/api/auth/recovery/confirm', { token, newPassword })
    },
    /** The text of the newest mail about a new password, in one line. */
    newPasswordMail: async (email: string) =>
      (await mails.newest(email, 'password-changed')).text.replace(/\s+/g, ' '),
    /** The status of a sign-in with a passkey, and of the owner's password. */
    byPasskey: async (passkey: SoftPasskey) => (await passkeySignIn(app, passkey)).statusCode,
    byPassword: ({ email }: { email: string }) => login(email, newPassword)
  }
}
