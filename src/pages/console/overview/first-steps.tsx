import { signal } from '@preact/signals'
import { Action } from '../../shared/form.tsx'
import { useGet, useLoaded } from '../../shared/load.tsx'
import { ok, portal } from '../../shared/client.ts'
import { settings } from '../../shared/page.tsx'
import { ifAllowed } from '../../shared/storage.ts'
import { may } from '../may.ts'
import { Icon } from '../shell/icons.tsx'

const place = 'first-steps'
const isHidden = signal(ifAllowed(() => localStorage.getItem(place)) === 'hidden')

function hide() {
  isHidden.value = true
  ifAllowed(() => localStorage.setItem(place, 'hidden'))
}

/** Lists what one does first with a portal, in development. */
export const FirstSteps = () =>
  settings.environment && !isHidden.value && may('flags:read') && may('outbox:read') ? (
    <Steps />
  ) : null

/** Each step is done once its result is there. */
function Steps() {
  const query = { limit: 1 }
  const overview = useGet('/api/admin/overview').value
  const mails = useGet('/api/admin/outbox', { query }).value
  const flags = useGet('/api/admin/flags', { query }).value
  const key = flags?.items[0]?.key
  const evaluated = useLoaded(['/api/admin/flags', key, 'evaluations'], async (signal) => {
    if (key === undefined) return false
    const params = { path: { key } }
    const path = '/api/admin/flags/{key}/evaluations'
    return (await ok(portal.GET(path, { params, signal }))).variants.length > 0
  })
  // The value of no flag is there first.
  if (!overview || !mails || !flags || evaluated.isOld || !('value' in evaluated)) return null
  const hasUsers = overview.users.count > 1
  const steps: [isDone: boolean, text: string, href: string][] = [
    [hasUsers, 'Register a user, as your users will', '/account/register'],
    [hasUsers && mails.items.length > 0, 'Look at the mail that they got', '/mail'],
    [key !== undefined, 'Create a flag', '/console/new-flag'],
    [evaluated.value === true, 'Ask for the user and the flag in your app', '/']
  ]
  if (steps.every(([isDone]) => isDone)) return null
  return (
    <section class="card steps" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <Action label="Hide" kind="plain" onPress={hide} />
      <ol>
        {steps.map(([isDone, text, href]) => (
          <li key={text} class={isDone ? 'done' : undefined}>
            <Icon name={isDone ? 'tick' : 'open'} />
            <a href={href}>{text}</a>
            {isDone && <span class="unseen">: done</span>}
          </li>
        ))}
      </ol>
      <p class="muted">
        <small>
          {!hasUsers && 'Or look at made-up people first: npm run dev -- --sample. '}
          To go to production, follow <code>docs/do/install.md</code>.
        </small>
      </p>
    </section>
  )
}
