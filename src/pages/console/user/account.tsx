import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import { Field } from '../../shared/controls.tsx'
import { Username } from '../../shared/fields.tsx'
import { Action } from '../../shared/form.tsx'
import { Ask } from '../ask.tsx'
import { CommandLine } from '../command-line.tsx'
import type { UserProps } from './props.ts'

/** Password, second factors, status and deletion. */
export function UserAccount({ user: { id, email, name, status }, reload }: UserProps) {
  const [, navigate] = useLocation()
  const [isSent, setSent] = useState(false)
  const params = { path: { id } }
  const setStatus = async (next: typeof status) => {
    await ok(portal.PATCH('/api/admin/users/{id}', { params, body: { status: next } }))
    await reload()
  }
  return (
    <section>
      <h2>Account</h2>
      <div class="actions">
        <Action
          label="Send a link for a new password"
          kind="outline"
          onPress={async () => {
            setSent(false)
            await ok(portal.POST('/api/auth/recovery', { body: { email } }))
            setSent(true)
          }}
        />
        <Ask
          label="Set a password"
          onSubmit={async ({ password = '' }) => {
            await ok(portal.PUT('/api/admin/users/{id}/password', { params, body: { password } }))
            await reload()
          }}
        >
          <p>This ends all sessions of {name}.</p>
          <Username email={email} />
          <Field
            label="New password"
            name="password"
            type="password"
            autocomplete="new-password"
            required
            maxLength={128}
          />
          <CommandLine words={[['user set-password', email]]} />
        </Ask>
        <Ask
          label="Remove second factors"
          isDangerous
          onSubmit={async () => {
            await ok(portal.DELETE('/api/admin/users/{id}/second-factors', { params }))
            await reload()
          }}
        >
          <p>
            Removes the authenticator app, all passkeys and all recovery codes of {name}, and ends
            all sessions. Make sure that the request really comes from this user.
          </p>
          <CommandLine words={[['user reset-second-factor', email]]} />
        </Ask>
        {status === 'active' ? (
          <Ask label="Deactivate" isDangerous onSubmit={() => setStatus('deactivated')}>
            <p>{name} cannot sign in until you activate the account again. All sessions end.</p>
            <CommandLine words={[['user deactivate', email]]} />
          </Ask>
        ) : (
          <Action label="Activate" kind="outline" onPress={() => setStatus('active')} />
        )}
        <Ask
          label="Delete"
          isDangerous
          onSubmit={async () => {
            await ok(portal.DELETE('/api/admin/users/{id}', { params }))
            navigate('/users')
          }}
        >
          <p>
            Deletes the account of {name}, its sessions and its roles. This cannot be undone. Its
            activity records stay.
          </p>
          <Field
            label={`Type ${email} to confirm`}
            name="address"
            autocomplete="off"
            spellcheck={false}
            required
            onInput={({ currentTarget: input }) =>
              input.setCustomValidity(input.value === email ? '' : `Type ${email}`)
            }
          />
          <CommandLine words={[['user delete', email]]} />
        </Ask>
      </div>
      <p role="status">{isSent && `A link is on its way to ${email}.`}</p>
      <CommandLine words={[['user reset-link', email]]} />
    </section>
  )
}
