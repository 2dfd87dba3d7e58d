import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { EmailField } from '../../shared/fields.tsx'
import { Field } from '../../shared/controls.tsx'
import { Loaded, renew, useGet } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { Time } from '../../shared/time.tsx'
import { Ask } from '../ask.tsx'
import { CommandLine } from '../command-line.tsx'
import { Facts } from '../facts.tsx'
import { Needs } from '../needs.tsx'
import { UserAccount } from './account.tsx'
import { UserActivity } from './activity.tsx'
import { UserFlags } from './flags.tsx'
import type { UserProps } from './props.ts'
import { UserRoles } from './roles.tsx'
import { UserSessions } from './sessions.tsx'

export function User({ id = '' }: Record<string, string | undefined>) {
  const loaded = useGet('/api/admin/users/{id}', { path: { id } })
  return (
    <Page title={loaded.value?.name ?? 'User'}>
      <Loaded from={loaded}>
        {(user) => {
          const props = { user, reload: renew }
          return (
            <>
              <Profile {...props} />
              <Needs permission="roles:read" title="Roles">
                <UserRoles {...props} />
              </Needs>
              <Needs permission="sessions:read" title="Sessions">
                <UserSessions user={user} />
              </Needs>
              <UserFlags user={user} />
              <Needs permission="activity:read" title="Activity">
                <UserActivity user={user} />
              </Needs>
              <UserAccount {...props} />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

const labels: Record<keyof Schemas['Profile'], string> = {
  pronouns: 'Pronouns',
  location: 'Location',
  locale: 'Language',
  timeZone: 'Time zone',
  website: 'Website',
  avatarUrl: 'Image',
  bio: 'About'
}
const profileFields = Object.entries(labels) as [keyof Schemas['Profile'], string][]

function Profile({ user, reload }: UserProps) {
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
    await ok(portal.PATCH('/api/admin/users/{id}', { params: { path: { id } }, body }))
    await reload()
  }
  return (
    <section>
      <Facts
        of={{
          'E-mail address': `${email} (${user.emailVerified ? 'confirmed' : 'not confirmed'})`,
          Status: user.status,
          'Second factor at sign-in': user.secondFactor ? 'required' : 'not required',
          'Last sign-in': user.lastLoginAt === null ? 'never' : <Time at={user.lastLoginAt} />,
          Created: <Time at={user.createdAt} />,
          Id: <code>{id}</code>,
          ...Object.fromEntries(profileFields.map(([field, label]) => [label, profile[field]]))
        }}
      />
      <div class="actions">
        <Ask label="Edit" action="Save" onSubmit={update}>
          <EmailField autocomplete="off" defaultValue={email} />
          <Field
            label="Name"
            name="name"
            autocomplete="off"
            required
            maxLength={80}
            defaultValue={name}
          />
          {profileFields.map(([field, label]) => (
            <Field
              key={field}
              label={label}
              name={`profile/${field}`}
              autocomplete="off"
              defaultValue={profile[field] ?? ''}
            />
          ))}
        </Ask>
      </div>
      <CommandLine words={[['user show', email]]} />
    </section>
  )
}
