import { Mistake } from './problem.tsx'
import { say, translationOf } from './say.ts'

// A way through a provider ends at an address of these pages. The portal adds what is left to do.

const names = ['problem', 'provider', 'linked', 'deleteAt'] as const
const address = new URL(location.href)
const found: Partial<Record<(typeof names)[number], string>> = {}
for (const name of names) {
  const value = address.searchParams.get(name)
  if (value !== null) found[name] = value
  address.searchParams.delete(name)
}
// Not again after a reload, and not in the address that the next way leads back to.
if (Object.keys(found).length > 0) history.replaceState(history.state, '', address)

/** The key of the provider that the address names: also the link of a registration with one. */
export const { provider: providerKey } = found

/** Takes one of the values. The first caller gets it, and shows it. */
function take(name: 'problem' | 'linked') {
  const value = found[name]
  delete found[name]
  return value
}

const due = 'second-factor-due'

/** Whether the sign-in goes on with its second step. */
export const takeSecondStep = () => found.problem === due && take('problem') === due

/** Whether the portal has just led here: anybody can send a link to this page. */
const isLed = () => /(^|; )(__Host-)?portal_led=deletion-pending(;|$)/.test(document.cookie)

/** The provider and the date of a sign-in to an account whose deletion is planned. */
export function takePendingDeletion() {
  const { problem, provider, deleteAt = '' } = found
  if (problem !== 'deletion-pending') return undefined
  take('problem')
  const isValid = provider !== undefined && !Number.isNaN(Date.parse(deleteAt))
  return isValid && isLed() ? { provider, deleteAt } : undefined
}

/** What went wrong on the way. */
export function takeProblem(): Mistake | undefined {
  const code = found.problem === due ? undefined : take('problem')
  if (code === undefined) return undefined
  return new Mistake(translationOf(`problem.${code}`) ?? say('provider-failed'))
}

/** The provider at which an account was linked. */
export const takeLinked = () => take('linked')
