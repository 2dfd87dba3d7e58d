import { useState } from 'preact/hooks'
import { portal } from '../shared/client.ts'
import { Action } from '../shared/form.tsx'
import { Page } from '../shared/page.tsx'
import { user } from '../shared/session.ts'
import { OtherWays, PageLink } from './links.tsx'
import { LinkTrouble, OtherAccount, useMailLink } from './mail-link.tsx'
import { say } from './say.ts'
import { token } from './token.ts'

/** Restores an account with the link in the mail about its deletion. Opening it does nothing. */
export function Restore() {
  const [isDone, setDone] = useState(false)
  const { isBroken, follow } = useMailLink()
  const restore = async () => {
    await follow(portal.POST('/api/auth/restore', { body: { token } }))
    setDone(true)
  }
  return (
    <Page title={say(isDone ? 'restore-done' : 'restore')}>
      {isDone ? (
        <p>{say('restore-done-text')}</p>
      ) : (
        token !== '' && (
          <>
            <p>{say('restore-text')}</p>
            {/* An account that is set to be deleted has no sessions. */}
            <OtherAccount text="restore-other" />
            <div class="actions">
              <Action label={say('restore-action')} onPress={restore} />
            </div>
          </>
        )
      )}
      {isBroken && (
        <LinkTrouble incomplete={say('restore-incomplete')} again={say('restore-again')} />
      )}
      {isBroken && !user.value ? (
        <div class="actions">
          <PageLink to="/sign-in" label={say('to-sign-in')} kind="primary" />
        </div>
      ) : (
        <OtherWays to={['sign-in']} />
      )}
    </Page>
  )
}
