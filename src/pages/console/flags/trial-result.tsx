import type { Schemas } from '../../shared/client.ts'
import { Time } from '../../shared/time.tsx'
import { Facts } from '../facts.tsx'
import { Table } from '../list/table.tsx'
import { percent } from './texts.ts'

const reasons: Record<Schemas['FlagTrialResult']['reason'], string> = {
  STATIC: 'The flag has no rules.',
  TARGETING_MATCH: 'A rule matched.',
  SPLIT: 'The split of a rule decided.',
  DEFAULT: 'No rule matched.',
  DISABLED: 'The flag is disabled.',
  TARGETING_KEY_MISSING: 'A split needs a targeting key.'
}

/** The result of a trial, and how it was decided. */
export function TryResult({
  result,
  user
}: {
  result: Schemas['FlagTrialResult']
  user: Pick<Schemas['User'], 'name' | 'email'> | undefined
}) {
  const { value, variant, reason, rule, bucket, visible, context, shares = [], segments } = result
  const total = shares.reduce((sum, { count }) => sum + count, 0)
  return (
    <div class="result" role="status">
      <pre tabIndex={0}>{JSON.stringify(value, undefined, 2)}</pre>
      {!visible && (
        <p>The flag is not public: for a caller who is not signed in it does not exist.</p>
      )}
      <Facts
        of={{
          For: user && `${user.name} (${user.email})`,
          Variant: variant ?? 'none',
          Reason: `${reasons[reason]} (${reason})`,
          Rule: rule === null ? 'none' : rule + 1,
          Bucket: bucket === null ? undefined : `${percent(bucket)} %`,
          'Roles that count': context.roles.join(', ') || 'none',
          Segments: segments.join(', '),
          Time: <Time at={result.at} />,
          'Next change': result.nextChange && <Time at={result.nextChange} />,
          'Roles that need a second factor': context.suspendedRoles.join(', ')
        }}
      />
      <h3>1,000 made-up keys in this context</h3>
      <Table
        label="Variants of 1,000 made-up keys"
        columns={[
          { title: 'Variant', cell: (share) => share.variant },
          { title: 'Keys', cell: (share) => share.count },
          {
            title: 'Share',
            cell: (share) => (
              <progress value={share.count} max={1000} aria-label={`Share of ${share.variant}`} />
            )
          }
        ]}
        items={shares}
        keyOf={(share) => share.variant}
        empty="The flag has no variants."
      />
      {total === 0 && <p>None of them gets a variant.</p>}
    </div>
  )
}
