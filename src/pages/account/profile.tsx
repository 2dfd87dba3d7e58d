import { useId } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Choice, Field } from '../shared/controls.tsx'
import { Loaded, useGet } from '../shared/load.tsx'
import { profileFields, profileInputs } from '../shared/profile-fields.ts'
import { SavingForm } from './saving.tsx'
import { say } from './say.ts'

/** Languages of the mails. */
const languages = ['en', 'de']

/** The language and the time zone have inputs of their own. */
const texts = profileInputs.filter(([name]) => name !== 'locale' && name !== 'timeZone')

/** The profile of the user, for the app and for mails. */
export function Profile() {
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
