import { Action } from '../shared/form.tsx'
import { Page } from '../shared/page.tsx'
import { signOut, user } from '../shared/session.ts'
import { settings } from '../shared/settings.ts'
import { say } from './say.ts'

export const Home = () => (
  <Page title={settings.product}>
    <p>{say('signed-in-as', { email: user.value?.email ?? '' })}</p>
    <div class="actions">
      <a role="button" href={settings.returnTo}>
        {say('continue')}
      </a>
      <Action label={say('sign-out')} kind="secondary" onPress={signOut} />
    </div>
  </Page>
)
