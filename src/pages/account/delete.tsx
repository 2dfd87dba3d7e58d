import { ok, portal } from '../shared/client.ts'
import { EmailField } from '../shared/fields.tsx'
import { Form } from '../shared/form.tsx'
import { Page } from '../shared/page.tsx'
import { Mistake } from '../shared/problem.tsx'
import { user } from '../shared/session.ts'
import { options } from '../shared/session-calls.ts'
import { formatTime } from '../shared/time-format.ts'
import { ToSignIn } from './links.tsx'
import { say } from './say.ts'
import { appUrl, Back } from './shell.tsx'

/** Deletes the account, or plans it, after its address was typed. */
export function Delete() {
  const days = options.value?.deletionGraceDays ?? 0
  const { email = '' } = user.value ?? {}
  const remove = async (fields: Record<string, string>) => {
    if (fields.email?.trim().toLowerCase() !== email.toLowerCase()) {
      throw new Mistake(say('delete-mismatch'))
    }
    const planned = await ok(portal.POST('/api/user/deletion', { body: {} }))
    const at = planned && `?at=${encodeURIComponent(planned.deleteAt)}`
    location.replace(`/account/deleted${at ?? ''}`)
  }
  return (
    <Page title={say('delete')}>
      <p>{days > 0 ? say('delete-plan-text', { days }) : say('delete-text')}</p>
      <Form action={say('delete')} onSubmit={remove} isDangerous>
        <EmailField label={say('delete-confirm', { email })} autocomplete="off" />
      </Form>
    </Page>
  )
}

/** When the account is deleted, if it can still be restored. */
const at = new URLSearchParams(location.search).get('at') ?? ''
const isPlanned = !Number.isNaN(Date.parse(at))

export const Deleted = () => (
  <Page title={say(isPlanned ? 'deletion-planned' : 'deleted')}>
    <p>
      {isPlanned ? say('deletion-planned-text', { time: formatTime(at) }) : say('deleted-text')}
    </p>
    {isPlanned || appUrl() === undefined ? (
      <ToSignIn />
    ) : (
      <p>
        <Back />
      </p>
    )}
  </Page>
)
