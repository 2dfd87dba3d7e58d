import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { ok, portal } from '../shared/client.ts'
import { may } from './may.ts'

/** E-mail addresses by user id: undefined while one is being loaded or cannot be. */
const emails = signal<Record<string, string | undefined>>({})

/** A user, by e-mail address as soon as it is known. Each is asked for once. */
export function UserLink({ id }: { id: string }) {
  useEffect(() => {
    if (id in emails.value || !may('users:read')) return
    emails.value = { ...emails.value, [id]: undefined }
    ok(portal.GET('/api/admin/users/{id}', { params: { path: { id } } })).then(
      ({ email }) => {
        emails.value = { ...emails.value, [id]: email }
      },
      () => {} // deleted, or offline: the id remains
    )
  }, [id])
  return <Link href={`/users/${id}`}>{emails.value[id] ?? id}</Link>
}
