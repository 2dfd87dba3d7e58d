import { useState } from 'preact/hooks'
import { ok, portal } from './client.ts'
import type { Schemas } from './client.ts'
import { Action } from './form.tsx'
import { Mistake, ProblemNotice } from './problem.tsx'
import { say, translationOf } from './say.ts'
import { leave } from './session.ts'

export type ShownProvider = Schemas['ShownProvider']

/** The longest target that the portal accepts, with its origin. */
const longest = 300
const fits = (target: string) => new URL(target, location.href).href.length <= longest

/** This page, as the target of a way through a provider. */
export const here = () => {
  const whole = location.pathname + location.search
  return fits(whole) ? whole : location.pathname
}

interface Way {
  intent: Schemas['ProviderFlow']['intent']
  /** This page by default. */
  returnTo?: string | undefined
  email?: string
  token?: string
  /** Whether to restore an account whose deletion is planned. */
  restore?: boolean
}

/** Leaves for a provider, which leads back. What goes wrong there is shown on this page. */
export async function leaveFor(key: string, { returnTo = here(), ...way }: Way) {
  const body = { ...way, errorTo: here(), ...(fits(returnTo) && { returnTo }) }
  const params = { path: { key } }
  const { url } = await ok(portal.POST('/api/auth/providers/{key}', { params, body }))
  leave(url)
}

export const findProvider = (email: string) =>
  ok(portal.POST('/api/auth/providers/find', { body: { email } }))

interface ProviderButtonsProps {
  providers: readonly ShownProvider[]
  returnTo?: string | undefined
  email?: string | undefined
}

/** Other ways to sign in, above a form. */
export const ProviderButtons = ({ providers, returnTo, email }: ProviderButtonsProps) =>
  providers.length === 0 ? null : (
    <div class="providers">
      {providers.map(({ key, name }) => (
        <Action
          key={key}
          label={say('continue-with', { name })}
          title={name}
          kind="outline"
          onPress={() =>
            leaveFor(key, { intent: 'sign-in', returnTo, ...(email !== undefined && { email }) })
          }
        />
      ))}
      <p class="or">{say('or')}</p>
    </div>
  )

/** The problem of a way that a signed-in user began, above the view. */
export function ProviderProblem() {
  const [problem] = useState(takeProblem)
  return problem ? <ProblemNotice error={problem} /> : null
}

// A way through a provider ends at an address of these pages. The portal adds what is left to do.

const names = ['problem', 'provider', 'linked', 'deleteAt'] as const
const address = new URL(location.href)
const found: Partial<Record<(typeof names)[number], string>> = {}
for (const name of names) {
  const value = address.searchParams.get(name)
  if (value !== null) found[name] = value
  address.searchParams.delete(name)
}
// They must not come again after a reload, nor in the address to which the next way leads back.
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

export function takeProblem(): Mistake | undefined {
  const code = found.problem === due ? undefined : take('problem')
  if (code === undefined) return undefined
  return new Mistake(translationOf(`problem.${code}`) ?? say('provider-failed'))
}

/** The provider at which an account was linked. */
export const takeLinked = () => take('linked')
