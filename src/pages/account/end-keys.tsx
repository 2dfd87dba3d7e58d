import { useState } from 'preact/hooks'
import { portal } from '../shared/client.ts'
import { Action } from '../shared/form.tsx'
import { Page } from '../shared/page.tsx'
import { OtherWays } from './links.tsx'
import { LinkTrouble, OtherAccount, useMailLink } from './mail-link.tsx'
import { say } from './say.ts'
import { token } from './token.ts'

/** Ends all API keys with the link in the mail about a recovery. Opening it does nothing. */
export function EndKeys() {
  const [isDone, setDone] = useState(false)
  const { isBroken, follow } = useMailLink()
  const end = async () => {
    await follow(portal.POST('/api/auth/keys/end', { body: { token } }))
    setDone(true)
  }
  return (
    <Page title={say(isDone ? 'end-keys-done' : 'end-keys')}>
      {isDone ? (
        <p>{say('end-keys-done-text')}</p>
      ) : (
        token !== '' && (
          <>
            <p>{say('end-keys-text')}</p>
            <OtherAccount />
            <div class="actions">
              <Action label={say('end-keys')} onPress={end} isDangerous />
            </div>
          </>
        )
      )}
      {isBroken && <LinkTrouble again={say('end-keys-again')} />}
      <OtherWays to={['sign-in']} />
    </Page>
  )
}
