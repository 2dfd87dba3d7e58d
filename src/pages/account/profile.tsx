import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Area, Choice, Field } from '../shared/controls.tsx'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { profileInputs } from '../../common/profile-fields.ts'
import { setUser, user } from '../shared/session.ts'
import { themes } from '../shared/theme.ts'
import { zone } from '../shared/time-format.ts'
import { NameField, SavingForm } from './parts.tsx'
import { languages, say } from './say.ts'

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
export function Profile() {
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
    <Page title={say('profile')}>
      <Loaded from={loaded}>
        {(profile) => (
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
            {choicesFor(profile).map(([name, value, options]) => (
              <Choice
                key={name}
                label={say(name)}
                name={name}
                hint={say(`${name}-hint`)}
                {...(name === 'locale' && { autocomplete: 'language' })}
                defaultValue={value}
                options={options}
              />
            ))}
          </SavingForm>
        )}
      </Loaded>
    </Page>
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

const choicesFor = ({ locale, timeZone }: Schemas['Profile']) =>
  [
    ['locale', locale ?? '', languagesFor(locale)],
    ['timeZone', timeZone ?? '', zonesFor(timeZone)],
    [
      'theme',
      user.value?.theme ?? 'system',
      themes.map((theme) => [theme, say(`theme-${theme}`)] as const)
    ]
  ] as const
