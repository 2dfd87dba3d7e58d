import type { ComponentChildren } from 'preact'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Action } from '../shared/form.tsx'
import { SendLink } from './parts.tsx'
import { say } from './say.ts'

/**
 * Whether the password alone is enough to sign in, and the link for a required first factor. Each
 * kind of factor is a section within.
 */
export function SecondFactor({
  security,
  onChange,
  children
}: SecurityProps & { children: ComponentChildren }) {
  const { totp, passkeys, secondFactor, requiredByRoles } = security
  const own = [
    ...(totp ? [say('app')] : []),
    ...(passkeys === 0
      ? []
      : [say(passkeys === 1 ? 'factor-passkey' : 'factor-passkeys', { count: passkeys })])
  ]
  const require = (required: boolean) => async () => {
    await ok(portal.PUT('/api/user/second-factor', { body: { required } }))
    await onChange()
  }
  return (
    <section>
      <h2>{say('second-factor')}</h2>
      <p class="summary">
        {secondFactor ? (
          <>
            <span class="chip good">{say('on')}</span> {own.join(', ')}
          </>
        ) : (
          <span class="chip">{say('off')}</span>
        )}
      </p>
      <p class="muted">{say('factor-text')}</p>
      {requiredByRoles.length > 0 && (
        <p>{say('factor-roles', { roles: requiredByRoles.join(', ') })}</p>
      )}
      {!hasFactor(security) && <p>{say('factor-first')}</p>}
      {needsLink(security) && <EnrolmentLink />}
      {hasFactor(security) && (
        <>
          <p>{say(secondFactor ? 'password-and-factor' : 'password-alone')}</p>
          <div class="actions">
            {secondFactor ? (
              requiredByRoles.length === 0 && (
                <Action label={say('allow-password')} isDangerous onPress={require(false)} />
              )
            ) : (
              <Action label={say('require-factor')} onPress={require(true)} />
            )}
          </div>
        </>
      )}
      {children}
    </section>
  )
}

/** Sends the link that a user needs to set up the first factor, if a role requires one. */
export const EnrolmentLink = () => (
  <>
    <p>{say('factor-needs-link')}</p>
    <SendLink
      label={say('send-link')}
      send={() => ok(portal.POST('/api/user/security/enrolment'))}
    />
  </>
)

type Security = Schemas['Security']

export interface SecurityProps {
  security: Security
  /** Loads again after a change, which may also change which roles count. */
  onChange(): Promise<unknown>
}

export const hasFactor = ({ totp, passkeys }: Security) => totp !== null || passkeys > 0

/** Whether a role requires a second factor and the user has none: the first one needs a link. */
export const needsLink = (security: Security) =>
  security.requiredByRoles.length > 0 && !hasFactor(security)
