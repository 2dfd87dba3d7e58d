import { useState } from 'preact/hooks'
import { ok, portal } from '../../shared/client.ts'
import { refuse } from '../flags/form.ts'
import { Offered } from './offered.tsx'
import { idOf, lookForUsers } from './user-label.ts'

/** A user, whom `findUser` finds. */
export function UserField() {
  const [value, setValue] = useState('')
  return (
    <Offered
      {...{ label: 'Name or e-mail address', name: 'user', value }}
      look={lookForUsers}
      onValue={setValue}
      maxLength={254}
      required
      autofocus
    />
  )
}

/** The user of an address, a name, or a part of one that no other user has. */
export async function findUser(text: string) {
  const { id, mistake } = await idOf(text.trim(), false)
  if (id === undefined) throw refuse(mistake, ['/user', mistake])
  return ok(portal.GET('/api/admin/users/{id}', { params: { path: { id } } }))
}
