import { ok, portal } from '../shared/client.ts'
import { EmailField } from '../shared/fields.tsx'
import { Form } from '../shared/form.tsx'
import { Page } from '../shared/page.tsx'
import { Mistake } from '../shared/problem.tsx'
import { user } from '../shared/session.ts'
import { ToSignIn } from './links.tsx'
import { say } from './say.ts'
import { appUrl, Back } from './shell.tsx'

/** Deletes the account, after its address was typed. */
export function Delete() {
  const { email = '' } = user.value ?? {}
  const remove = async (fields: Record<string, string>) => {
    if (fields.email?.trim().toLowerCase() !== email.toLowerCase()) {
      throw new Mistake(say('delete-mismatch'))
    }
    await ok(portal.POST('/api/user/deletion', { body: {} }))
    location.replace('/account/deleted')
  }
  return (
    <Page title={say('delete')}>
      <p>{say('delete-text')}</p>
      <Form action={say('delete')} onSubmit={remove} isDangerous>
        <EmailField label={say('delete-confirm', { email })} autocomplete="off" />
      </Form>
    </Page>
  )
}

export const Deleted = () => (
  <Page title={say('deleted')}>
    <p>{say('deleted-text')}</p>
    {appUrl() === undefined ? (
      <ToSignIn />
    ) : (
      <p>
        <Back />
      </p>
    )}
  </Page>
)
