import type { IncomingHttpHeaders } from 'node:http'
import { DomainError } from '../domain/errors.ts'

/** The user for whose page a call is, as its client says. */
export const expectedHeader = 'portal-user'

interface Expecting {
  headers: IncomingHttpHeaders
  principal: { user: { id: string } } | null
}
type Done = (error?: Error) => void

/**
 * Refuses the session of another user than the client expects: a page of one user must not act on
 * the account of the next one, who has signed in with another tab. Throws nothing where nobody is
 * signed in. Not for checks, to which a proxy may pass the headers of any client.
 */
export const forExpectedUser =
  <R extends Expecting>(authenticate: (request: R, done: Done) => void) =>
  (request: R, done: Done) => {
    const expected = request.headers[expectedHeader]
    if (expected === undefined) return authenticate(request, done)
    authenticate(request, (error) =>
      done(error ?? (request.principal?.user.id === expected ? undefined : otherUser()))
    )
  }

export const otherUser = () => new DomainError('other-user')
