import { signal } from '@preact/signals'
import { Loaded, useGet } from '../shared/load.tsx'
import { Page, settings } from '../shared/page.tsx'
import { options, readSession, user } from '../shared/session.ts'
import { SetUpApp } from './authenticator.tsx'
import { PageLink, token } from './links.tsx'
import { MailLink } from './mail-links.tsx'
import { AddPasskey } from './passkeys.tsx'
import { say } from './say.ts'
import { EnrolmentLink, hasFactor, needsLink } from './second-factor.tsx'

/** Outlives the view, in whose place the recovery codes are shown. */
const isDone = signal(false)
const finish = async () => {
  isDone.value = true
  await readSession()
}

/** Sets up the first second factor of a user whose roles require one, with the token of a link. */
const EnrolByLink = () => (
  <MailLink
    purpose="factor-enrolment"
    title="enrol"
    text="factor-first"
    needsOwner
    again="security-again"
    remedy="/security"
  >
    {user.value && <h2>{say('app')}</h2>}
    {user.value && <SetUpApp label={say('app-set-up')} token={token} onDone={finish} />}
    {user.value && options.value?.passkeys && (
      <>
        <h2>{say('passkeys')}</h2>
        <p>{say('passkeys-text')}</p>
        <AddPasskey token={token} onDone={finish} />
      </>
    )}
  </MailLink>
)

export function Enrol() {
  if (isDone.value) {
    return (
      <Page title={say('enrol-done')}>
        <div class="actions">
          <a role="button" href={settings.returnTo}>
            {say('continue')}
          </a>
        </div>
      </Page>
    )
  }
  return user.value ? <OwnEnrolment /> : <EnrolByLink />
}

/** Not everybody who opens a link needs it. */
function OwnEnrolment() {
  const loaded = useGet('/api/user/security')
  const security = 'value' in loaded ? loaded.value : undefined
  if (security && token !== '' && needsLink(security)) return <EnrolByLink />
  const isThere = security && hasFactor(security)
  return (
    <Page title={say(isThere ? 'enrol-done' : 'enrol')}>
      <Loaded from={loaded}>
        {(loadedSecurity) =>
          needsLink(loadedSecurity) ? (
            <EnrolmentLink />
          ) : (
            <>
              <p>{say(isThere ? 'enrol-there' : 'enrol-without-link')}</p>
              <div class="actions">
                <PageLink to="/security" label={say('to-security')} kind="primary" />
              </div>
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
