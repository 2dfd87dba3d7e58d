import { useId, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { browserOf } from '../../common/browsers.ts'
import { capital } from '../shared/capital.ts'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Choice, Field } from '../shared/controls.tsx'
import { Action } from '../shared/form.tsx'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page, settings } from '../shared/page.tsx'
import { profileFields, profileInputs } from '../../common/profile-fields.ts'
import { setUser, user } from '../shared/session.ts'
import { Ago } from '../shared/time.tsx'
import { SavingForm, useStatus } from './parts.tsx'
import { addressOf } from './links.tsx'
import { download } from './recovery-codes.tsx'
import { say } from './say.ts'
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
              <ul class="items">
                {pages.flatMap(({ items }) =>
                  items.map((item) => <Item key={item.id} {...item} />)
                )}
              </ul>
              {typeof cursor === 'string' && (
                <div class="actions">
                  <Action label={say('more')} kind="outline" onPress={() => loadMore(cursor)} />
                </div>
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
  const { role = '…', name = '…' } = details
  const isFailure = outcome === 'failure'
  const failure = `failed.${action}`
  const key = isFailure && isKnown(failure) ? failure : `action.${action}`
  const facts = [
    // The portal returns neither id nor address for actions of others, and no id before a sign-in.
    ...(actorId === user.value?.id || ip !== null ? [] : [say('by-others')]),
    browserOf(userAgent),
    ip
  ].filter(Boolean)
  return (
    <li>
      {isKnown(key) ? say(key, { role, name }) : when ? capital(when) : inWords(action)}
      {isFailure && key !== failure && <strong> ({say('failed')})</strong>}
      <br />
      <small class="muted">
        <Ago at={at} />
        {facts.map((fact) => `, ${fact}`)}
      </small>
    </li>
  )
}

/** An action without words of its own: `announcement.create` is shown as "announcement: create". */
const inWords = (action: string) => action.replace('.', ': ').replaceAll('-', ' ')
const isKnown = (key: string): key is keyof typeof actions => Object.hasOwn(actions, key)

const languages = ['en', 'de']

/** The language and the time zone have inputs of their own. */
const texts = profileInputs.filter(([name]) => name !== 'locale' && name !== 'timeZone')

function Profile() {
  const loaded = useGet('/api/user/profile')
  const save = async (fields: Record<string, string>) => {
    const given = Object.entries(fields).map(([name, text]) => [name, text.trim() || null])
    const body = Object.fromEntries(given) as Schemas['ProfilePatch']
    loaded.replace(await ok(portal.PATCH('/api/user/profile', { body })))
  }
  return (
    <section>
      <h2>{say('profile')}</h2>
      <Loaded from={loaded}>
        {(profile) => (
          <SavingForm action={say('save-profile')} onSubmit={save}>
            <Language locale={profile.locale} />
            <TimeZone timeZone={profile.timeZone} />
            {texts.map(([name, input]) => (
              <Field
                key={name}
                autocomplete="off"
                defaultValue={profile[name] ?? ''}
                {...input}
                label={say(name)}
                name={name}
              />
            ))}
          </SavingForm>
        )}
      </Loaded>
    </section>
  )
}

function nameOf(tag: string) {
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag // an app may have stored one that this browser does not know
  }
}

function Language({ locale }: { locale: string | null }) {
  // An app may have stored one that the mails do not have.
  const known = locale === null || languages.includes(locale) ? languages : [...languages, locale]
  return (
    <Choice
      label={say('locale')}
      name="locale"
      hint={say('locale-hint')}
      autocomplete="language"
      defaultValue={locale ?? ''}
      options={[['', say('locale-none')], ...known.map((tag) => [tag, nameOf(tag)] as const)]}
    />
  )
}

function TimeZone({ timeZone }: { timeZone: string | null }) {
  const list = useId()
  return (
    <>
      <Field
        label={say('timeZone')}
        name="timeZone"
        autocomplete="off"
        hint={say('timeZone-hint')}
        defaultValue={timeZone ?? ''}
        maxLength={profileFields.timeZone.maxLength}
        list={list}
      />
      <datalist id={list}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}

export const Data = () => (
  <Page title={say('data')} about={say('data-text', { product: settings.product })}>
    <Name />
    <Theme />
    <Profile />
    <Activity />
    <section>
      <h2>{say('download')}</h2>
      <p class="muted">{say('download-text')}</p>
      <div class="actions">
        <Action label={say('download-action')} kind="outline" onPress={download} />
      </div>
    </section>
    <section>
      <h2>{say('delete')}</h2>
      <p class="muted">{say('delete-about')}</p>
      <p>
        <Link href={addressOf('/delete')}>{say('delete')}</Link>
      </p>
    </section>
  </Page>
)

/** Shows what the portal has stored, everywhere on the page. */
const keep = (changes: Partial<Schemas['CurrentUser']>) =>
  user.value && setUser({ ...user.value, ...changes })

const Name = () => (
  <section>
    <h2>{say('name')}</h2>
    <SavingForm
      action={say('save-name')}
      onSubmit={async ({ name = '' }) =>
        keep(await ok(portal.PUT('/api/user/name', { body: { name } })))
      }
    >
      <Field
        label={<span class="unseen">{say('name')}</span>}
        name="name"
        autocomplete="name"
        defaultValue={user.value?.name}
        required
        maxLength={80}
      />
    </SavingForm>
  </section>
)

const themes = ['system', 'light', 'dark'] as const

const Theme = () => (
  <section>
    <h2>{say('theme')}</h2>
    <SavingForm
      action={say('save-theme')}
      onSubmit={async (fields) =>
        keep(await ok(portal.PUT('/api/user/theme', { body: fields as Schemas['Theme'] })))
      }
    >
      <Choice
        label={<span class="unseen">{say('theme')}</span>}
        name="theme"
        defaultValue={user.value?.theme ?? 'system'}
        options={themes.map((theme) => [theme, say(`theme-${theme}`)])}
      />
    </SavingForm>
  </section>
)
