import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { OneAction } from '../shared/form.tsx'
import { user } from '../shared/session.ts'
import { Setting } from './items.tsx'
import { useStatus } from './parts.tsx'
import { say } from './say.ts'

/** Whether the password alone is enough to sign in. */
export function SecondFactor({ security, onChange }: SecurityProps) {
  const { secondFactor, requiredByRoles } = security
  const require = async () => {
    await ok(portal.PUT('/api/user/second-factor', { body: { required: !secondFactor } }))
    await onChange()
  }
  const isFree = hasFactor(security) && !(secondFactor && requiredByRoles.length > 0)
  return (
    <Setting
      title={say('with-password')}
      chip={<FactorChip isOn={secondFactor} />}
      state={
        <>
          {say(secondFactor ? 'password-and-factor' : 'password-alone')}
          {requiredByRoles.length > 0 && (
            <> {say('factor-roles', { roles: requiredByRoles.join(', ') })}</>
          )}
        </>
      }
      button={isFree ? say(secondFactor ? 'turn-off' : 'turn-on') : undefined}
      isDangerous={secondFactor}
      onPress={require}
    />
  )
}

export const FactorChip = ({ isOn }: { isOn: boolean }) => (
  <span class={isOn ? 'chip good' : 'chip'}>{say(isOn ? 'on' : 'off')}</span>
)

/** Sends the link that a user needs to set up the first factor, if a role requires one. */
export function EnrolmentLink() {
  const { status, report } = useStatus()
  const send = async () => {
    await ok(portal.POST('/api/user/security/enrolment'))
    report(say('link-sent', { email: user.value?.email ?? '' }))
  }
  return (
    <>
      <p>{say('factor-needs-link')}</p>
      <OneAction label={say('send-link')} onPress={send} />
      {status}
    </>
  )
}

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
