import type { FastifyInstance } from 'fastify'
import { invitations } from '../../db/schema/scopes.ts'
import { tokenPurposes } from '../../db/schema/tokens.ts'
import { findRole } from '../../src/domain/access/roles.ts'
import { randomId, randomText, sha256 } from '../../src/domain/crypto.ts'
import { createRevert } from '../../src/domain/mail/links.ts'
import { createLinkToken } from '../../src/domain/tokens/tokens.ts'
import { normalizeEmail } from '../../src/domain/users/emails.ts'
import { aUser } from './app.ts'
import { aScopedRole, freshScope, granted } from './scopes.ts'

export const linkPurposes = [...tokenPurposes, 'invitation'] as const
export type LinkPurpose = (typeof linkPurposes)[number]

/**
 * The token of a link for a user, as a mail to this address would have it. The account gets into no
 * other state, which `restore` needs.
 */
export async function linkFor(
  app: FastifyInstance,
  purpose: LinkPurpose,
  user: { id: string; email: string },
  email = user.email
): Promise<string> {
  if (purpose === 'invitation') return (await anInvitation(app, email)).token
  const emailNormalized = normalizeEmail(email) ?? ''
  const since = new Date(Date.now() - 60_000)
  const link = await app.db.transaction(async (tx): Promise<{ token: string } | undefined> =>
    purpose === 'email-revert' || purpose === 'factor-revert'
      ? createRevert(tx, { purpose, user: { id: user.id, email, emailNormalized }, since })
      : createLinkToken(tx, { purpose, owner: { userId: user.id }, email, expiresIn: 3600 })
  )
  if (!link) throw new Error('the user is gone')
  return link.token
}

/** An invitation to an address, and who sent it. */
export async function anInvitation(app: FastifyInstance, email: string, scope = freshScope()) {
  const token = randomText(32)
  const role = await findRole(app.db, await aScopedRole(app.database, 'members:manage'))
  const inviter = await aUser(app.database)
  await granted(app.database, inviter, scope, role.key)
  await app.db.insert(invitations).values({
    ...{ id: randomId(), scope, roleId: role.id, invitedBy: inviter.id },
    ...{ email, emailNormalized: normalizeEmail(email) ?? '' },
    ...{ tokenHash: sha256(token), expiresAt: new Date(Date.now() + 3600_000) }
  })
  return { token, scope, role, inviter }
}
