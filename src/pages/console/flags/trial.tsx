import type { ComponentProps } from 'preact'
import { useState } from 'preact/hooks'
import { useSearch } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Area, Choice, Field } from '../../shared/controls.tsx'
import { Form } from '../../shared/form.tsx'
import { dateTimeOf } from '../../shared/setting-fields.ts'
import { Time } from '../../shared/time.tsx'
import { zone } from '../../shared/time-format.ts'
import { CommandLine } from '../command-line.tsx'
import { KeyChips } from '../list/chips.tsx'
import { Offered } from '../list/offered.tsx'
import { Table } from '../list/table.tsx'
import { findUser } from '../list/user-field.tsx'
import { lookForUsers } from '../list/user-label.ts'
import { keepsSettings } from '../settings.ts'
import type { Flag } from './form.ts'
import { percent } from './when-form.ts'
import { attributesOf, settingsOf } from './sample-context.ts'
import { Facts } from '../parts.tsx'

type Result = Schemas['FlagTrialResult']

interface Tried {
  words: ComponentProps<typeof CommandLine>['words']
  result: Result
  user: Schemas['User'] | undefined
}

interface TryProps {
  /** The key of the saved flag, if it has no unsaved changes. */
  savedKey: string | undefined
  /** The flag with unsaved changes. */
  flag(): Promise<Flag>
  explained<T>(work: () => Promise<T>): Promise<T>
  /** Whether the flag has changed since it was tried. */
  isStale: boolean
  onTried(result: Result): void
}

/** Evaluates the flag as it is in the form, for a user or a made-up caller. */
export function Try({ savedKey, flag, explained, isStale, onTried }: TryProps) {
  const given = new URLSearchParams(useSearch()).get('user') ?? ''
  const [who, setWho] = useState<'user' | 'visitor' | 'signed-in'>('user')
  const [name, setName] = useState(given)
  const [roles, setRoles] = useState<string[]>([])
  const [tried, setTried] = useState<Tried>()

  const evaluate = async (fields: Record<string, string>) => {
    setTried(undefined)
    const user = who === 'user' ? await findUser(name) : undefined
    const attributes = attributesOf(fields.attributes ?? '')
    const appSettings = settingsOf(fields['context/appSettings'] ?? '')
    const at = dateTimeOf(fields['context/at'] ?? '')
    const context: NonNullable<Schemas['FlagTrial']['context']> = {
      ...(user && { userId: user.id }),
      ...(fields.assurance && { assurance: Number(fields.assurance) }),
      ...(fields['context/targetingKey'] && { targetingKey: fields['context/targetingKey'] }),
      ...(who === 'signed-in' && { roles }),
      ...(Object.keys(attributes).length > 0 && { attributes }),
      ...(appSettings && { appSettings }),
      ...(fields['context/scope'] && { scope: fields['context/scope'] }),
      ...(at && { at })
    }
    const tested = savedKey === undefined ? { flag: await flag() } : { key: savedKey }
    const body = { ...tested, context, sample: 1000 }
    const result = await explained(() => ok(portal.POST('/api/admin/flags/evaluate', { body })))
    const words: Tried['words'] = [
      'flag try',
      savedKey ?? '--file flag.json',
      ['--user', user?.email],
      ['--assurance', fields.assurance || undefined],
      ['--targeting-key', context.targetingKey],
      ...(context.roles ?? []).map((role) => ['--role', role] as const),
      ...Object.entries(attributes).map(
        ([name, value]) => ['--attribute', `${name}=${JSON.stringify(value)}`] as const
      ),
      ['--app-settings', appSettings && JSON.stringify(appSettings)],
      ['--scope', context.scope],
      ['--at', at],
      ['--sample', '1000']
    ]
    setTried({ result, user, words })
    onTried(result)
  }
  return (
    <section class="try" aria-labelledby="try-heading">
      <h2 id="try-heading">Try</h2>
      <p>Which variant somebody gets, and why, as written here.</p>
      <Form action="Try" kind="outline" onSubmit={evaluate}>
        <Choice
          label="Caller"
          name="who"
          value={who}
          options={[
            ['user', 'A user'],
            ['visitor', 'A visitor who is not signed in'],
            ['signed-in', 'A made-up signed-in user']
          ]}
          onValue={(value) => setWho(value as typeof who)}
        />
        {who === 'user' ? (
          <Offered
            label="Name or e-mail address"
            name="user"
            type="search"
            value={name}
            look={lookForUsers}
            onValue={setName}
            maxLength={254}
            required
          />
        ) : (
          <Field label="Targeting key" name="context/targetingKey" maxLength={256} />
        )}
        {who === 'signed-in' && (
          <KeyChips
            kind="roles"
            label="Roles"
            place="context/roles"
            values={roles}
            onValues={setRoles}
          />
        )}
        {who === 'signed-in' && keepsSettings() && (
          <Area
            label="App settings"
            name="context/appSettings"
            hint="JSON, or one per line."
            spellcheck={false}
            placeholder="limits.projects=10"
          />
        )}
        <details>
          <summary>More about the call</summary>
          {who === 'user' && (
            <Choice
              label="Signed in with"
              name="assurance"
              options={[
                ['', 'All that they have set up'],
                ['1', 'One factor'],
                ['2', 'Two factors']
              ]}
            />
          )}
          {who !== 'visitor' && (
            <Field
              label="Scope"
              name="context/scope"
              autocomplete="off"
              maxLength={81}
              placeholder="org:1"
            />
          )}
          <Area label="Attributes" name="attributes" spellcheck={false} placeholder="country=DE" />
          <Field
            label="Time"
            name="context/at"
            hint={`In your zone, ${zone()}. Now, if empty.`}
            type="datetime-local"
            step="any"
          />
        </details>
      </Form>
      {tried && (
        <>
          {isStale && <p>The flag has changed since it was tried.</p>}
          <TryResult {...tried} />
          <CommandLine words={tried.words} />
        </>
      )}
    </section>
  )
}

const reasons: Record<Result['reason'], string> = {
  STATIC: 'The flag has no rules.',
  TARGETING_MATCH: 'A rule matched.',
  SPLIT: 'The split of a rule decided.',
  DEFAULT: 'No rule matched.',
  DISABLED: 'The flag is disabled.',
  TARGETING_KEY_MISSING: 'A split needs a targeting key.'
}

/** The result of a trial, and how it was decided. */
function TryResult({ result, user }: Pick<Tried, 'result' | 'user'>) {
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
          Scope: context.scope,
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
