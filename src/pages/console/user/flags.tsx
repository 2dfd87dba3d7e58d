import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { Schemas } from '../../shared/client.ts'
import { Choice } from '../../shared/controls.tsx'
import { Dialog } from '../../shared/dialog.tsx'
import { Loaded, useGet } from '../../shared/load.tsx'
import { Table } from '../list/table.tsx'
import type { Column } from '../list/table.tsx'
import { CommandLine } from '../command-line.tsx'
import { useParameters } from '../list/address.ts'
import { Filters } from '../list/filters.tsx'
import { Paging } from '../list/paging.tsx'
import { reasonOf, WhyFlag } from './why-flag.tsx'

type Flag = Schemas['UserFlag']

interface UserFlagsProps {
  user: Schemas['User']
  /** Whether another part of the view asks for the kind of session. */
  isPart?: boolean
}

/** In which session to look at what a user gets. */
export function SessionChoice() {
  const [filters, setFilters] = useParameters(['assurance', 'cursor'])
  return (
    <Filters values={filters} onChange={setFilters}>
      <Choice
        label="Session"
        name="assurance"
        options={[
          ['', 'As after a usual sign-in'],
          ['1', 'Without a second factor'],
          ['2', 'With a second factor']
        ]}
      />
    </Filters>
  )
}

/** The flags as a user gets them, and why. */
export function UserFlags({ user: { id, email }, isPart = false }: UserFlagsProps) {
  const [filters] = useParameters(['assurance', 'cursor'])
  const [asked, setAsked] = useState<string>()
  const assurance = filters.assurance === undefined ? undefined : Number(filters.assurance)
  const { cursor } = filters
  const query = { ...(cursor && { cursor }), ...(assurance && { assurance }), limit: 50 }
  const flags = useGet('/api/admin/users/{id}/flags', { path: { id }, query })
  const columns: Column<Flag>[] = [
    { title: 'Flag', cell: ({ key }) => <Link href={`/flags/${key}`}>{key}</Link> },
    { title: 'Value', cell: ({ value }) => <code>{shortened(value)}</code> },
    { title: 'Variant', cell: ({ variant }) => variant, rank: 'less' },
    { title: 'Reason', cell: reasonOf },
    {
      title: 'Explain',
      rank: 'does',
      cell: ({ key }) => (
        <button type="button" class="outline" onClick={() => setAsked(key)}>
          Why?
        </button>
      )
    }
  ]
  return (
    <section>
      <h2>Flags</h2>
      <Loaded from={flags}>
        {({ items }) =>
          items.length === 0 && cursor === undefined ? (
            <p class="muted">
              There are no <Link href="/flags">flags</Link>. They turn features on for some users.
            </p>
          ) : (
            <>
              {!isPart && <SessionChoice />}
              <Table
                label="Flags"
                columns={columns}
                items={items}
                keyOf={({ key }) => key}
                empty="There are no more flags."
              />
              <Paging from={flags} filters={filters} noun="flags" />
            </>
          )
        }
      </Loaded>
      {asked !== undefined && (
        <Dialog title={`Why this value of ${asked}?`} onClose={() => setAsked(undefined)}>
          <WhyFlag key={asked} flag={asked} userId={id} email={email} assurance={assurance} />
          <button type="button" class="secondary outline" onClick={() => setAsked(undefined)}>
            Close
          </button>
        </Dialog>
      )}
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
