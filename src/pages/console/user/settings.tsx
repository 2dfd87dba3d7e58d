import { portal, savedFrom } from '../../shared/client.ts'
import { Loaded, useLoaded } from '../../shared/load.tsx'
import { loadAgain, savedPart, SettingControls, shownOf } from '../../shared/setting-controls.tsx'
import { fieldsOf } from '../../shared/setting-fields.ts'
import { ConfirmButton } from '../action-buttons.tsx'
import { CommandLine } from '../command-line.tsx'
import { Table } from '../list/table.tsx'
import { may } from '../may.ts'
import { useSettingsSchema } from '../settings.ts'
import { report } from '../shell/status.tsx'
import { shortName } from './short-name.ts'
import type { UserProps } from './short-name.ts'

type Schema = NonNullable<ReturnType<typeof useSettingsSchema>['value']>['app']

const parts = {
  user: {
    title: 'User settings',
    about: 'What the app lets the user choose.',
    path: '/api/admin/users/{id}/settings'
  },
  app: {
    title: 'App settings',
    about: 'Only services and operators change these.',
    path: '/api/admin/users/{id}/app-settings'
  }
} as const

/** Settings that the app keeps for a user. They exist only if `keepsSettings`. */
export const UserSettings = ({ user }: UserProps) => (
  <>
    <Loaded from={useSettingsSchema()}>
      {(schemas) => (
        <>
          <Part user={user} part="user" schema={schemas.user} />
          <Part user={user} part="app" schema={schemas.app} />
        </>
      )}
    </Loaded>
    <CommandLine words={['settings show', user.email]} />
  </>
)

function Part({ user, part, schema }: UserProps & { part: keyof typeof parts; schema: Schema }) {
  const { title, about, path } = parts[part]
  const params = { path: { id: user.id } }
  const loaded = useLoaded([path, user.id], (signal) =>
    savedFrom(portal.GET(path, { params, signal }))
  )
  if (Object.keys(schema.properties ?? {}).length === 0) return null
  return (
    <section>
      <Loaded from={loaded}>
        {({ value: document, etag }) => {
          const fields = fieldsOf(schema, document)
          const save = async (texts: Record<string, string>) => {
            const header = { 'if-match': etag }
            const saved = await savedPart(fields, texts, (body) =>
              portal.PATCH(path, { params: { ...params, header }, body })
            )
            if (saved) loaded.replace(saved)
            report(`The ${title.toLowerCase()} of ${shortName(user)} are saved.`)
          }
          return (
            <>
              <div class="head">
                <div>
                  <h2>{title}</h2>
                  <p class="muted">{about}</p>
                </div>
                {may('users:update') && (
                  <div class="actions">
                    <ConfirmButton
                      label={`Edit the ${title.toLowerCase()}`}
                      action="Save"
                      words={['settings update', user.email, `--part ${part} --file changes.json`]}
                      remedy={loadAgain(loaded.reload)}
                      onSubmit={save}
                    >
                      <SettingControls fields={fields} />
                    </ConfirmButton>
                  </div>
                )}
              </div>
              <Table
                label={title}
                columns={[
                  { title: 'Setting', cell: ({ label }) => label },
                  {
                    title: 'Value',
                    cell: ({ value }) => value,
                    below: ({ isDefault }) => isDefault && 'Default'
                  }
                ]}
                items={shownOf(schema, document)}
                keyOf={({ pointer }) => pointer}
                empty=""
              />
            </>
          )
        }}
      </Loaded>
    </section>
  )
}
