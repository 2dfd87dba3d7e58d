import { Link } from 'wouter-preact'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { useLoaded } from '../shared/load.tsx'
import { may } from './may.ts'
import { ShortId } from './short-id.tsx'

interface UserLinkProps {
  id: string
  /** What a list says of the user: null for somebody who is gone, or whom one may not see. */
  user?: Schemas['Session']['user']
}

/** A user by name. Without a label, it is asked for. */
export function UserLink({ id, user }: UserLinkProps) {
  const asked = useLoaded(['label of user', user === undefined && id], async (signal) => {
    if (user !== undefined || !may('users:read')) return undefined
    const params = { path: { id } }
    return ok(portal.GET('/api/admin/users/{id}', { params, signal })).catch(() => undefined)
  })
  const name = (user ?? asked.value)?.name
  return name === undefined ? <ShortId id={id} /> : <Link href={`/users/${id}`}>{name}</Link>
}
