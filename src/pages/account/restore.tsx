import { useState } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import { Action } from '../shared/form.tsx'
import { Page } from '../shared/page.tsx'
import { ToSignIn } from './links.tsx'
import { say } from './say.ts'
import { token } from './token.ts'

/** Restores an account with the link in the mail about its deletion. Opening it does nothing. */
export function Restore() {
  const [isDone, setDone] = useState(false)
  const restore = async () => {
    await ok(portal.POST('/api/auth/restore', { body: { token } }))
    setDone(true)
  }
  return (
    <Page title={say(isDone ? 'restore-done' : 'restore')}>
      {token === '' ? (
        <p>{say('link-incomplete-notice')}</p>
      ) : isDone ? (
        <p>{say('restore-done-text')}</p>
      ) : (
        <>
          <p>{say('restore-text')}</p>
          <div class="actions">
            <Action label={say('restore-action')} onPress={restore} />
          </div>
        </>
      )}
      <ToSignIn />
    </Page>
  )
}
