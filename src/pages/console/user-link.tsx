import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { portal } from '../shared/client.ts'
import { may } from './may.ts'

/** E-mail addresses by user id: undefined while one is being loaded or cannot be. */
const emails = signal<Record<string, string | undefined>>({})

/** A user, by e-mail address as soon as it is known. Each is asked for once. */
export function UserLink({ id }: { id: string }) {
  useEffect(() => {
    if (id in emails.value || !may('users:read')) return
    emails.value = { ...emails.value, [id]: undefined }
    void portal.GET('/api/admin/users/{id}', { params: { path: { id } } }).then(({ data }) => {
      if (data) emails.value = { ...emails.value, [id]: data.email }
    })
  }, [id])
  return <Link href={`/users/${id}`}>{emails.value[id] ?? id}</Link>
}
