import { useState } from 'preact/hooks'
import { ok, portal } from './client.ts'
import type { Schemas } from './client.ts'
import { Action } from './form.tsx'
import { takeProblem } from './led-back.ts'
import { ProblemNotice } from './problem.tsx'
import { say } from './say.ts'
import { leave } from './leaving.ts'

export type ShownProvider = Schemas['ShownProvider']

/** What the portal accepts as a target, with its origin. */
const longest = 300
const fits = (target: string) => new URL(target, location.href).href.length <= longest

/** This page, as the target of a way through a provider. */
export const here = () => {
  const whole = location.pathname + location.search
  return fits(whole) ? whole : location.pathname
}

interface Way {
  intent: Schemas['ProviderFlow']['intent']
  /** By default this page. */
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

/** The provider that speaks for an address. */
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
          label={say('sign-in-with', { name })}
          kind="outline"
          onPress={() =>
            leaveFor(key, { intent: 'sign-in', returnTo, ...(email !== undefined && { email }) })
          }
        />
      ))}
      <p class="or">{say('or')}</p>
    </div>
  )

/** What went wrong on a way that a signed-in user began, above the view. */
export function ProviderProblem() {
  const [problem] = useState(takeProblem)
  return problem ? <ProblemNotice error={problem} /> : null
}
