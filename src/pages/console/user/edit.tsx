import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Area, Field } from '../../shared/controls.tsx'
import { EmailField } from '../../shared/fields.tsx'
import { renew } from '../../shared/load.tsx'
import { profileInputs } from '../../shared/profile-fields.ts'
import { Ask } from '../ask.tsx'
import { report } from '../shell/status.tsx'
import { shortName } from './short-name.ts'

/** Changes name, address and profile. */
export function EditUser({ user }: { user: Schemas['User'] }) {
  const { id, email, name, profile } = user
  const update = async (fields: Record<string, string>) => {
    const changed = profileInputs
      .filter(([field]) => fields[`profile/${field}`] !== (profile[field] ?? ''))
      .map(([field]) => [field, fields[`profile/${field}`] || null])
    const body: Schemas['UserPatch'] = {
      ...(fields.email !== email && { email: fields.email }),
      ...(fields.name !== name && { name: fields.name }),
      ...(changed.length > 0 && { profile: Object.fromEntries(changed) })
    }
    if (Object.keys(body).length === 0) return
    const params = { path: { id } }
    const saved = await ok(portal.PATCH('/api/admin/users/{id}', { params, body }))
    await renew()
    report(`The changes of ${shortName(saved)} are saved.`)
  }
  return (
    <Ask
      label="Edit"
      action="Save"
      onSubmit={update}
      words={[
        ['user update', email],
        ['--name', 'NAME']
      ]}
    >
      <EmailField autocomplete="off" defaultValue={email} />
      <Field label="Name" name="name" required maxLength={80} defaultValue={name} />
      {profileInputs.map(([field, input]) => {
        const shown = { name: `profile/${field}`, defaultValue: profile[field] ?? '' }
        const { label, maxLength } = input
        return field === 'bio' ? (
          <Area key={field} {...shown} {...{ label, maxLength }} rows={3} />
        ) : (
          <Field key={field} {...shown} {...input} autocomplete="off" />
        )
      })}
    </Ask>
  )
}
