import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Area, Field } from '../../shared/controls.tsx'
import { EmailField } from '../../shared/fields.tsx'
import { renew } from '../../shared/load.tsx'
import { Ask } from '../ask.tsx'
import { report } from '../shell/status.tsx'
import { shortName } from './short-name.ts'

type Profile = Schemas['Profile']

export const profileLabels: Record<keyof Profile, string> = {
  pronouns: 'Pronouns',
  location: 'Location',
  locale: 'Language',
  timeZone: 'Time zone',
  website: 'Website',
  avatarUrl: 'Image',
  bio: 'About'
}
const profileFields = Object.entries(profileLabels) as [keyof Profile, string][]

/** Changes name, address and profile. */
export function EditUser({ user }: { user: Schemas['User'] }) {
  const { id, email, name, profile } = user
  const update = async (fields: Record<string, string>) => {
    const changed = profileFields
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
      {profileFields.map(([field, label]) =>
        field === 'bio' ? (
          <Area
            key={field}
            label={label}
            name={`profile/${field}`}
            rows={3}
            defaultValue={profile[field] ?? ''}
          />
        ) : (
          <Field
            key={field}
            label={label}
            name={`profile/${field}`}
            defaultValue={profile[field] ?? ''}
          />
        )
      )}
    </Ask>
  )
}
