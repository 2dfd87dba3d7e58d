import type { SettingsSchemas } from '../../common/settings.ts'
import { ok, portal } from '../shared/client.ts'
import { Loaded, useLoaded } from '../shared/load.tsx'
import { Page, settings } from '../shared/page.tsx'
import {
  loadAgain,
  partOf,
  savedPart,
  SettingControls,
  shownOf
} from '../shared/setting-controls.tsx'
import type { Part } from '../shared/setting-controls.tsx'
import { fieldsOf } from '../shared/setting-fields.ts'
import { SavingForm } from './parts.tsx'
import { say } from './say.ts'
import { may } from './shell.tsx'

interface Both {
  schemas: SettingsSchemas
  own: Part
  byApp: Part
}

export function Settings() {
  const loaded = useLoaded<Both>(['/api/user/settings'], async (signal) => {
    const [schemas, own, byApp] = await Promise.all([
      ok(portal.GET('/api/user/settings/schema', { signal })) as Promise<object>,
      partOf(portal.GET('/api/user/settings', { signal })),
      partOf(portal.GET('/api/user/app-settings', { signal }))
    ])
    return { schemas: schemas as SettingsSchemas, own, byApp }
  })
  const product = settings.product
  return (
    <Page title={say('settings')} about={say('settings-about', { product })}>
      <Loaded from={loaded}>
        {(both) => {
          const { schemas, own, byApp } = both
          const fields = fieldsOf(schemas.user, own.document)
          const save = async (texts: Record<string, string>) => {
            const params = { header: { 'if-match': own.etag } }
            const saved = await savedPart(fields, texts, (body) =>
              portal.PATCH('/api/user/settings', { params, body })
            )
            if (saved) loaded.replace({ ...both, own: saved })
          }
          return (
            <>
              <section class="only">
                <h2>{say('settings-own')}</h2>
                {may('settings:update') ? (
                  <SavingForm
                    action={say('settings-save')}
                    onSubmit={save}
                    remedy={loadAgain(loaded.reload)}
                  >
                    <SettingControls fields={fields} />
                  </SavingForm>
                ) : (
                  <Values of={shownOf(schemas.user, own.document)} />
                )}
              </section>
              <ByApp of={shownOf(schemas.app, byApp.document).filter(({ isSet }) => isSet)} />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

type Shown = ReturnType<typeof shownOf>

const ByApp = ({ of: values }: { of: Shown }) =>
  values.length > 0 ? (
    <section>
      <h2>{say('settings-app')}</h2>
      <p class="muted">{say('settings-app-text')}</p>
      <Values of={values} />
    </section>
  ) : null

/** JSON, and texts that are too long for a column, take a line of their own. */
const isLong = (text: unknown) => typeof text !== 'string' || text.length > 40

const Values = ({ of: values }: { of: Shown }) => (
  <dl class="facts">
    {values.map(({ pointer, label, value }) => (
      <div key={pointer} class={isLong(label) || isLong(value) ? 'long' : undefined}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
