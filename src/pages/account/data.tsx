import { Link } from 'wouter-preact'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Choice, Field } from '../shared/controls.tsx'
import { Action } from '../shared/form.tsx'
import { Page } from '../shared/page.tsx'
import { setUser, user } from '../shared/session.ts'
import { settings } from '../shared/settings.ts'
import { Activity } from './activity.tsx'
import { download } from './download.ts'
import { addressOf } from './links.tsx'
import { Profile } from './profile.tsx'
import { SavingForm } from './saving.tsx'
import { say } from './say.ts'

/** What the portal knows about the user. */
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
