import { useState } from 'preact/hooks'
import { capital } from '../shared/capital.ts'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Area, Choice, Field } from '../shared/controls.tsx'
import { OneAction } from '../shared/form.tsx'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page, settings } from '../shared/page.tsx'
import { saveJson } from '../shared/save-file.ts'
import { profileInputs } from '../../common/profile-fields.ts'
import { setUser, user } from '../shared/session.ts'
import { Ago } from '../shared/time.tsx'
import { themes } from '../shared/theme.ts'
import { zone } from '../shared/time-format.ts'
import { deviceOf, Setting } from './items.tsx'
import { NameField, SavingForm, useStatus } from './parts.tsx'
import { languages, say } from './say.ts'
import { actions } from '../../common/words/actions-en.ts'

function Activity() {
  const loaded = useGet('/api/user/activity', { query: { limit: 10 } })
  const [more, setMore] = useState<Schemas['ActivityPage'][]>([])
  const { status, report } = useStatus()
  const loadMore = async (cursor: string) => {
    const params = { query: { limit: 50, cursor } }
    const next = await ok(portal.GET('/api/user/activity', { params }))
    setMore([...more, next])
    if (next.nextCursor === null) report(say('activity-end'))
  }
  return (
    <section>
      <h2>{say('activity')}</h2>
      <p class="muted">{say('activity-text')}</p>
      <Loaded from={loaded}>
        {(first) => {
          const pages = [first, ...more]
          const cursor = pages.at(-1)?.nextCursor
          return (
            <>
              <ul class="rows">
                {pages.flatMap(({ items }) =>
                  items.map((item) => <Item key={item.id} {...item} />)
                )}
              </ul>
              {typeof cursor === 'string' && (
                <OneAction label={say('more')} kind="outline" onPress={() => loadMore(cursor)} />
              )}
            </>
          )
        }}
      </Loaded>
      {status}
    </section>
  )
}

/** @param record one of the app says when it is recorded */
function Item(record: Schemas['ActivityRecord'] & { when?: string }) {
  const { at, action, outcome, actorId, ip, userAgent, details, when } = record
  const { role = '…', name = '…', scope = '…' } = details
  const isFailure = outcome === 'failure'
  const failure = `failed.${action}`
  const key = isFailure && isKnown(failure) ? failure : `action.${action}`
  const facts = [
    // The portal returns neither id nor address for actions of others, and no id before a sign-in.
    ...(actorId === user.value?.id || ip !== null ? [] : [say('by-others')]),
    deviceOf(userAgent),
    ip
  ].filter(Boolean)
  return (
    <li>
      <div>
        {isKnown(key) ? say(key, { role, name, scope }) : when ? capital(when) : inWords(action)}
        {isFailure && key !== failure && <strong> ({say('failed')})</strong>}
        <br />
        <small class="muted">
          <Ago at={at} />
          {facts.map((fact) => `, ${fact}`)}
        </small>
      </div>
    </li>
  )
}

/** An action without words of its own: `announcement.create` is shown as "announcement: create". */
const inWords = (action: string) => action.replace('.', ': ').replaceAll('-', ' ')
const isKnown = (key: string): key is keyof typeof actions => Object.hasOwn(actions, key)

type Options = (readonly [value: string, text: string])[]

/** The language, the time zone and the theme are chosen from lists. */
const texts = profileInputs.filter(([name]) => name !== 'locale' && name !== 'timeZone')

/** The texts that the user has changed, by the names of the controls. */
const changed = (fields: Record<string, string>, before: Record<string, string | null>) =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, text]) => [name, text.trim() || null] as const)
      .filter(([name, text]) => name in before && text !== before[name])
  )

/** Everything that a user chooses about themselves, in one form. */
function Profile() {
  const loaded = useGet('/api/user/profile')
  const save = async (fields: Record<string, string>) => {
    const profile = changed(fields, loaded.value ?? {}) as Schemas['ProfilePatch']
    if (Object.keys(profile).length > 0) {
      loaded.replace(await ok(portal.PATCH('/api/user/profile', { body: profile })))
    }
    const { name = '', theme } = fields as Partial<Pick<Schemas['CurrentUser'], 'name' | 'theme'>>
    if (name.trim() !== user.value?.name) {
      keep(await ok(portal.PUT('/api/user/name', { body: { name } })))
    }
    if (theme && theme !== user.value?.theme) {
      keep(await ok(portal.PUT('/api/user/theme', { body: { theme } })))
    }
  }
  return (
    <Loaded from={loaded}>
      {(profile) => (
        <section class="only">
          <SavingForm action={say('save')} onSubmit={save}>
            <NameField defaultValue={user.value?.name} />
            {texts.map(([name, input]) => {
              const shown = { name, label: say(name), defaultValue: profile[name] ?? '' }
              return name === 'bio' ? (
                <Area key={name} {...shown} maxLength={input.maxLength} rows={3} />
              ) : (
                <Field key={name} autocomplete="off" {...input} {...shown} />
              )
            })}
            <h2>{say('preferences')}</h2>
            <Choice
              label={say('locale')}
              name="locale"
              hint={say('locale-hint')}
              autocomplete="language"
              defaultValue={profile.locale ?? ''}
              options={languagesFor(profile.locale)}
            />
            <Choice
              label={say('timeZone')}
              name="timeZone"
              hint={say('timeZone-hint')}
              defaultValue={profile.timeZone ?? ''}
              options={zonesFor(profile.timeZone)}
            />
            <Choice
              label={say('theme')}
              name="theme"
              hint={say('theme-hint')}
              defaultValue={user.value?.theme ?? 'system'}
              options={themes.map((theme) => [theme, say(`theme-${theme}`)])}
            />
          </SavingForm>
        </section>
      )}
    </Loaded>
  )
}

/** Shows what the portal has stored, everywhere on the page. */
const keep = (changes: Partial<Schemas['CurrentUser']>) =>
  user.value && setUser({ ...user.value, ...changes })

function nameOf(tag: string) {
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag // an app may have stored one that this browser does not know
  }
}

/** With one that an app has stored, and that the portal does not have. */
const withOwn = (all: readonly string[], own: string | null) =>
  own === null || all.includes(own) ? all : [...all, own]

const languagesFor = (locale: string | null): Options => [
  ['', say('locale-none')],
  ...withOwn(languages, locale).map((tag) => [tag, nameOf(tag)] as const)
]

const zonesFor = (timeZone: string | null): Options => [
  ['', say('timeZone-none')],
  [zone(), say('timeZone-here', { zone: zone() })],
  ...withOwn(Intl.supportedValuesOf('timeZone'), timeZone)
    .filter((name) => name !== zone())
    .map((name) => [name, name.replaceAll('_', ' ')] as const)
]

export const Data = () => (
  <Page title={say('data')} about={say('data-text', { product: settings.product })}>
    <Profile />
    <Activity />
    <ul class="rows">
      <Setting
        title={say('download')}
        state={say('download-text')}
        button={say('download-action')}
        onPress={async () => saveJson('account.json', await ok(portal.GET('/api/user/export')))}
      />
      <Setting
        title={say('delete')}
        state={say('delete-about')}
        button={say('delete')}
        href="/delete"
        isDangerous
      />
    </ul>
  </Page>
)
