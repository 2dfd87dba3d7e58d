import { Link, Redirect } from 'wouter-preact'
import { ok, portal } from '../shared/client.ts'
import { EmailField } from '../shared/controls.tsx'
import { Form } from '../shared/form.tsx'
import { Page } from '../shared/page.tsx'
import { Mistake } from '../shared/problem.tsx'
import { options, user } from '../shared/session.ts'
import { formatTime } from '../shared/time-format.ts'
import { addressOf, OtherWays } from './links.tsx'
import { say } from './say.ts'
import { Back } from './shell.tsx'

/** Deletes the account, or plans it, after its address was typed. */
export function Delete() {
  const days = options.value?.deletionGraceDays ?? 0
  const { email = '' } = user.value ?? {}
  const remove = async (fields: Record<string, string>) => {
    if (fields.email?.trim().toLowerCase() !== email.toLowerCase()) {
      throw Object.assign(new Mistake(say('delete-mismatch')), { field: 'email' })
    }
    const planned = await ok(portal.POST('/api/user/deletion', { body: {} }))
    const at = planned && `?at=${encodeURIComponent(planned.deleteAt)}`
    location.replace(`/account/deleted${at ?? ''}`)
  }
  return (
    <Page title={say('delete')}>
      <p>{days > 0 ? say('delete-plan-text', { days }) : say('delete-text')}</p>
      <p>
        <Link href={addressOf('/data')}>{say('delete-copy')}</Link>
      </p>
      <Form
        action={say('delete')}
        onSubmit={remove}
        isDangerous
        more={
          <Link href={addressOf('/data')} role="button" class="outline">
            {say('cancel')}
          </Link>
        }
      >
        <EmailField label={say('delete-confirm', { email })} autocomplete="off" />
      </Form>
    </Page>
  )
}

/** The time of the deletion, if the account can still be restored. */
const at = new URLSearchParams(location.search).get('at') ?? ''
const isPlanned = !Number.isNaN(Date.parse(at))

/** The page after the deletion. A user who is signed in has not deleted the account. */
export const Deleted = () =>
  user.value ? (
    <Redirect to={addressOf('/')} replace />
  ) : (
    <Page title={say(isPlanned ? 'deletion-planned' : 'deleted')}>
      <p>
        {isPlanned ? say('deletion-planned-text', { time: formatTime(at) }) : say('deleted-text')}
      </p>
      {!isPlanned && <Back />}
      <OtherWays to={[isPlanned ? 'sign-in' : 'register']} />
    </Page>
  )
