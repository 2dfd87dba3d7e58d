import { Link } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, useLoaded } from '../../shared/load.tsx'
import { Facts } from '../facts.tsx'
import { ruleSentence } from '../flags/sentences.ts'

interface WhyProps {
  flag: string
  userId: string
  /** For the form that tries the flag with attributes. */
  email: string
  assurance: number | undefined
}

/** Tries a flag for a user, and says which rule and which bucket decided. */
export function WhyFlag({ flag: key, userId, email, assurance }: WhyProps) {
  const loaded = useLoaded(['/api/admin/flags/evaluate', key, userId, assurance], () =>
    Promise.all([
      ok(
        portal.POST('/api/admin/flags/evaluate', {
          body: { key, context: { userId, ...(assurance && { assurance }) } }
        })
      ),
      ok(portal.GET('/api/admin/flags/{key}', { params: { path: { key } } }))
    ])
  )
  return (
    <Loaded from={loaded}>
      {([trial, flag]) => (
        <>
          <p>{reasonOf(trial)}</p>
          <Facts
            of={{
              Value: <code>{JSON.stringify(trial.value)}</code>,
              Variant: trial.variant,
              'Roles that count': trial.context.roles.join(', '),
              'Suspended roles, which need a second factor': trial.context.suspendedRoles.join(', ')
            }}
          />
          {flag.rules.length > 0 && (
            <ol>
              {flag.rules.map((rule, index) => (
                <li key={index}>
                  <strong>{verdictOf(index, trial)}</strong>: {ruleSentence(rule, flag)}
                </li>
              ))}
            </ol>
          )}
          {flag.rules.some(({ when }) => when.attributes) && (
            <p>
              Apps can send attributes, and none are sent here. Try them on the page of{' '}
              <Link href={`/flags/${key}?user=${encodeURIComponent(email)}`}>{key}</Link>.
            </p>
          )}
        </>
      )}
    </Loaded>
  )
}

type Decided = Pick<Schemas['UserFlag'], 'reason' | 'rule' | 'bucket'>

/** Why a flag has its value, in a sentence. */
export function reasonOf({ reason, rule, bucket }: Decided): string {
  const number = (rule ?? 0) + 1
  switch (reason) {
    case 'DISABLED':
      return 'The flag is disabled: everybody gets the off variant.'
    case 'STATIC':
      return 'The flag has no rules: everybody gets the default variant.'
    case 'DEFAULT':
      return 'No rule matched: the default variant.'
    case 'TARGETING_MATCH':
      return `Rule ${number} matched.`
    case 'SPLIT':
      return `Rule ${number} splits, and this user is at ${(bucket ?? 0) / 1000} %.`
    case 'TARGETING_KEY_MISSING':
      return `Rule ${number} splits, but there is no targeting key.`
  }
}

function verdictOf(index: number, { reason, rule }: Decided) {
  if (reason === 'DISABLED' || (rule !== null && index > rule)) return 'Not reached'
  return index === rule ? 'Matched' : 'Did not match'
}
