import { Link } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, useGet, useLoaded } from '../../shared/load.tsx'
import { ReadButton } from '../action-buttons.tsx'
import { CommandLine } from '../command-line.tsx'
import { ruleSentence } from '../flags/sentences.ts'
import type { Column } from '../list/table.tsx'
import { useParameters } from '../list/address.ts'
import { LoadedTable } from '../list/paging.tsx'
import { may } from '../may.ts'
import { Facts } from '../parts.tsx'
import { nameOfRole } from '../roles/names.ts'
import { GiveFlag } from './give.tsx'
import type { UserProps } from './short-name.ts'

type Flag = Schemas['UserFlag']

/** The flags as a user gets them, and why. */
export function UserFlags({ user }: UserProps) {
  const { id, email } = user
  const [filters] = useParameters(['assurance', 'cursor'])
  const assurance = filters.assurance === undefined ? undefined : Number(filters.assurance)
  const { cursor } = filters
  const query = { ...(cursor && { cursor }), ...(assurance && { assurance }), limit: 50 }
  const from = useGet('/api/admin/users/{id}/flags', { path: { id }, query })
  const columns: Column<Flag>[] = [
    { title: 'Flag', cell: ({ key }) => <Link href={`/flags/${key}`}>{key}</Link> },
    { title: 'Value', cell: ({ value }) => <code>{shortened(value)}</code> },
    { title: 'Variant', cell: ({ variant }) => variant },
    { title: 'Reason', cell: reasonOf },
    {
      title: 'Explain',
      rank: 'does',
      cell: ({ key }) => (
        <ReadButton label="Why?" title={`Why this value of ${key}?`}>
          <WhyFlag flag={key} userId={id} email={email} assurance={assurance} />
        </ReadButton>
      )
    }
  ]
  return (
    <section>
      <div class="head">
        <h2>Flags</h2>
        {may('flags:read') && may('flags:update') && <GiveFlag user={user} />}
      </div>
      <LoadedTable
        label="Flags"
        {...{ columns, from, filters }}
        noun="flags"
        empty={
          cursor === undefined ? (
            <>
              There are no <Link href="/flags">flags</Link>. They turn features on for some users.
            </>
          ) : (
            'There are no more flags.'
          )
        }
      />
      <CommandLine
        words={[
          ['user flags', email],
          ['--assurance', filters.assurance]
        ]}
      />
    </section>
  )
}

function shortened(value: Flag['value']) {
  // It may break between its parts.
  const text = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ')
  return text.length > 100 ? `${text.slice(0, 100)} …` : text
}

interface WhyProps {
  flag: string
  userId: string
  /** For the form that tries the flag with attributes. */
  email: string
  assurance: number | undefined
}

/** Tries a flag for a user, and says which rule and which bucket decided. */
function WhyFlag({ flag: key, userId, email, assurance }: WhyProps) {
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
              'Roles that count': trial.context.roles.map(nameOfRole).join(', '),
              'Suspended roles, which need a second factor': trial.context.suspendedRoles
                .map(nameOfRole)
                .join(', ')
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
          {flag.rules.some(({ when }) => when.attributes ?? when.scopes) && (
            <p>
              Apps can send attributes and a scope. None are sent here: try them on the page of{' '}
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
function reasonOf({ reason, rule, bucket }: Decided) {
  const number = (rule ?? 0) + 1
  const sentences: Record<typeof reason, string> = {
    DISABLED: 'The flag is disabled: everybody gets the off variant.',
    STATIC: 'The flag has no rules: everybody gets the default variant.',
    DEFAULT: 'No rule matched: the default variant.',
    TARGETING_MATCH: `Rule ${number} matched.`,
    SPLIT: `Rule ${number} splits, and this user is at ${(bucket ?? 0) / 1000} %.`,
    TARGETING_KEY_MISSING: `Rule ${number} splits, but there is no targeting key.`
  }
  return sentences[reason]
}

function verdictOf(index: number, { reason, rule }: Decided) {
  if (reason === 'DISABLED' || (rule !== null && index > rule)) return 'Not reached'
  return index === rule ? 'Matched' : 'Did not match'
}
