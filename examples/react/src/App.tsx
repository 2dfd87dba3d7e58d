import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { ok } from 'portal-client'
import { messageOf } from 'portal-client/messages'
import {
  SignedIn,
  SignedOut,
  useFlag,
  usePermission,
  usePortal,
  useUser
} from 'portal-client/react'

export const App = () => (
  <main>
    <SignedOut>
      <SignIn />
    </SignedOut>
    <SignedIn>
      <Home />
    </SignedIn>
  </main>
)

function SignIn() {
  const portal = usePortal()
  const [said, say] = useState('')
  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const [email, password] = ['email', 'password'].map((name) => String(fields.get(name)))
    try {
      await portal.signIn({ email, password })
    } catch (error) {
      say(messageOf(error))
    }
  }
  return (
    <form onSubmit={submit}>
      <h1>Sign in</h1>
      <label>
        E-mail address <input name="email" type="email" autoComplete="username" required />
      </label>{' '}
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>{' '}
      <button>Sign in</button>
      <p role="alert">{said}</p>
    </form>
  )
}

function Home() {
  const portal = usePortal()
  const user = useUser()
  const seesInvoices = usePermission('invoices:read')
  const isNew = useFlag('new-greeting', false)
  const [said, say] = useState('')
  // Your own service asks the portal the same, and answers with the invoices.
  const open = () =>
    ok(
      portal.api.GET('/api/auth/check', {
        params: { query: { maxAge: 60 }, header: { 'x-original-method': 'GET' } }
      })
    ).then(
      () => say('Two invoices are open.'),
      (error) => say(messageOf(error))
    )
  return (
    <>
      <h1>
        {isNew ? 'Good to see you' : 'Hello'}, {user?.name}
      </h1>
      {seesInvoices ? (
        <button onClick={open}>Show my invoices</button>
      ) : (
        <p>You may not see invoices.</p>
      )}{' '}
      <button onClick={() => portal.signOut()}>Sign out</button>
      <p role="status">{said}</p>
    </>
  )
}
