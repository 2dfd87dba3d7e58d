import type { SettingsSchemas } from '../../common/settings.ts'
import { ok, portal, savedFrom } from '../shared/client.ts'
import { Loaded, useLoaded } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { loadAgain, savedPart, SettingControls, shownOf } from '../shared/setting-controls.tsx'
import { fieldsOf } from '../shared/setting-fields.ts'
import { SavingForm } from './parts.tsx'
import { say } from './say.ts'
import { may } from './shell.tsx'

export function Settings() {
  const loaded = useLoaded(['/api/user/settings'], async (signal) => {
    const [schemas, own, byApp] = await Promise.all([
      ok(portal.GET('/api/user/settings/schema', { signal })) as Promise<object>,
      savedFrom(portal.GET('/api/user/settings', { signal })),
      savedFrom(portal.GET('/api/user/app-settings', { signal }))
    ])
    return { schemas: schemas as SettingsSchemas, own, byApp }
  })
  const remedy = loadAgain(loaded.reload)
  return (
    <Page title={say('settings')}>
      <Loaded from={loaded}>
        {(both) => {
          const { schemas, own, byApp } = both
          const fields = fieldsOf(schemas.user, own.value)
          const byServices = shownOf(schemas.app, byApp.value).filter(({ isSet }) => isSet)
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
                  <SavingForm action={say('save')} onSubmit={save} remedy={remedy}>
                    <SettingControls fields={fields} />
                  </SavingForm>
                ) : (
                  <Values of={shownOf(schemas.user, own.value)} />
                )}
              </section>
              {byServices.length > 0 && (
                <section>
                  <h2>{say('settings-app')}</h2>
                  <p class="muted">{say('settings-app-text')}</p>
                  <Values of={byServices} />
                </section>
              )}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

/** JSON, and texts that are too long for a column, take a line of their own. */
const isLong = (text: unknown) => typeof text !== 'string' || text.length > 40

const Values = ({ of: values }: { of: ReturnType<typeof shownOf> }) => (
  <dl class="facts">
    {values.map(({ pointer, label, value }) => (
      <div key={pointer} class={isLong(label) || isLong(value) ? 'long' : undefined}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
