import { signal } from '@preact/signals'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page, settings } from '../shared/page.tsx'
import { options, readSession } from '../shared/session.ts'
import { SetUpApp } from './authenticator.tsx'
import { PageLink, token } from './links.tsx'
import { AddPasskey } from './passkeys.tsx'
import { say } from './say.ts'
import { EnrolmentLink, hasFactor, needsLink } from './second-factor.tsx'

/** Outlives the view, in whose place the recovery codes are shown. */
const isDone = signal(false)

/** Sets up the first second factor of a user whose roles require one, with the token of a link. */
export function Enrol() {
  const loaded = useGet('/api/user/security')
  const finish = async () => {
    isDone.value = true
    await readSession()
  }
  if (isDone.value) {
    return (
      <Page title={say('enrol-done')}>
        <div class="actions">
          <a role="button" href={settings.returnTo}>
            {say('continue')}
          </a>
        </div>
        <p>
          <PageLink to="/security" label={say('to-security')} />
        </p>
      </Page>
    )
  }
  const isThere = 'value' in loaded && hasFactor(loaded.value)
  return (
    <Page title={say(isThere ? 'enrol-done' : 'enrol')}>
      <Loaded from={loaded}>
        {(security) =>
          !needsLink(security) ? (
            <>
              <p>{say(isThere ? 'enrol-there' : 'enrol-without-link')}</p>
              <div class="actions">
                <PageLink to="/security" label={say('to-security')} kind="primary" />
              </div>
            </>
          ) : token === '' ? (
            <EnrolmentLink />
          ) : (
            <>
              <p>{say('factor-roles', { roles: security.requiredByRoles.join(', ') })}</p>
              <p>{say('factor-first')}</p>
              <h2>{say('app')}</h2>
              <SetUpApp label={say('app-set-up')} token={token} onDone={finish} />
              {options.value?.passkeys && (
                <>
                  <h2>{say('passkeys')}</h2>
                  <p>{say('passkeys-text')}</p>
                  <AddPasskey token={token} onDone={finish} />
                </>
              )}
              <p>
                <PageLink to="/security" label={say('new-link')} />
              </p>
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
