import type { Assurance } from '../../../db/schema/sessions.ts'

/** What was proved in a session: the words of RFC 8176, and the number of factors. */
export interface Proof {
  amr: readonly string[]
  assurance: Assurance
  /** When it was proved, if not in this request. */
  at?: Date | undefined
}

export const byPassword: Proof = { amr: ['pwd'], assurance: 1 }
export const byTotp: Proof = { amr: ['pwd', 'otp', 'mfa'], assurance: 2 }
/** A code in a session that exists already. */
export const byCode: Proof = { amr: ['otp', 'mfa'], assurance: 2 }
/** RFC 8176 has no word for a recovery code. */
export const byRecoveryCode: Proof = { amr: ['pwd', 'mfa'], assurance: 2 }

/**
 * A passkey is two factors: the device, and what unlocks it.
 * @param deviceType `single`: the key cannot leave the device
 */
export const byPasskey = (deviceType: 'single' | 'multi'): Proof => ({
  amr: [deviceType === 'single' ? 'hwk' : 'swk', 'user', 'mfa'],
  assurance: 2
})

/**
 * An account at a provider (`fed`, from the list of methods of Microsoft: RFC 8176 has no word for
 * it).
 * @param hasTwo whether the provider has proved two factors
 * @param at when, if the user did not have to authenticate for this request
 */
export const byProvider = (hasTwo: boolean, at?: Date): Proof =>
  hasTwo ? { amr: ['fed', 'mfa'], assurance: 2, at } : { amr: ['fed'], assurance: 1, at }

/** Of a sign-in that began with a provider: its second step did not take the password. */
export const afterProvider = ({ amr, assurance }: Proof): Proof => ({
  amr: ['fed', ...amr.filter((word) => word !== 'pwd')],
  assurance
})

const order = ['pwd', 'fed', 'otp', 'hwk', 'swk', 'user', 'mfa']

/** The words of both, each once, in a fixed order. */
export const joinAmr = (one: readonly string[], other: readonly string[]) =>
  order.filter((word) => one.includes(word) || other.includes(word))
