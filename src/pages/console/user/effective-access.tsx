import { Link } from 'wouter-preact'
import type { Schemas } from '../../shared/client.ts'
import { Choice, Field } from '../../shared/controls.tsx'
import { Loaded, useGet } from '../../shared/load.tsx'
import { CommandLine, quoted } from '../command-line.tsx'
import { counted } from '../grouped.ts'
import { useParameters } from '../list/address.ts'
import { Table } from '../list/table.tsx'
import { Filters } from '../list/view.tsx'
import { nameOfRole } from '../roles/names.ts'
import { shortName } from './short-name.ts'
import type { UserProps } from './short-name.ts'

type Seen = Schemas['SeenUser']

/** Says what a user may do in one kind of session, and gets flags for the same one. */
export function EffectiveAccess({ user }: UserProps) {
  const { id } = user
  const [filters, setFilters] = useParameters(['assurance', 'permission', 'cursor'])
  const { assurance, permission = '' } = filters
  const query = assurance === '1' || assurance === '2' ? { assurance: Number(assurance) } : {}
  return (
    <section>
      <h2>Permissions</h2>
      <Filters values={filters} onChange={setFilters}>
        <Field
          label="Permission"
          name="permission"
          type="search"
          list="seen-permissions"
          placeholder="users:read"
          maxLength={80}
        />
        <Choice
          label="Kind of session"
          name="assurance"
          options={[
            ['', 'A usual sign-in'],
            ['1', 'Without a second factor'],
            ['2', 'With a second factor']
          ]}
        />
      </Filters>
      <Loaded from={useGet('/api/admin/users/{id}/seen', { path: { id }, query })}>
        {(seen) => <Answer user={user} seen={seen} permission={permission.trim()} />}
      </Loaded>
    </section>
  )
}

const named = (keys: string[]) => keys.map(nameOfRole).join(', ')

function Answer({ user, seen, permission }: UserProps & { seen: Seen; permission: string }) {
  const { assurance, permissions } = seen
  return (
    <>
      <datalist id="seen-permissions">
        {permissions.map(({ key }) => (
          <option key={key} value={key} />
        ))}
      </datalist>
      <p role="status">{permission && verdict(user, seen, permission)}</p>
      <details>
        <summary>
          {counted(permissions.length, 'permission')}, and the roles that grant them
        </summary>
        <Table
          label="Permissions"
          columns={[
            { title: 'Permission', cell: ({ key }) => <code>{key}</code> },
            {
              title: 'From the role',
              cell: ({ grantedBy, withheldBy }) =>
                [...grantedBy, ...withheldBy].map((key) => (
                  <div key={key}>
                    <Link href={`/roles/${key}`}>{nameOfRole(key)}</Link>
                    {withheldBy.includes(key) && ' (only with a second factor)'}
                  </div>
                ))
            }
          ]}
          items={permissions}
          empty="No role of this user has a permission."
        />
      </details>
      <CommandLine
        words={[
          ['user can', user.email],
          permission ? quoted(permission) : 'PERMISSION',
          ['--assurance', String(assurance)]
        ]}
      />
    </>
  )
}

const factors = (assurance: number) => (assurance === 2 ? 'two factors' : 'one factor')

function verdict(user: Schemas['User'], { user: me, assurance, permissions }: Seen, key: string) {
  const name = shortName(user)
  if (!me) return `No: ${name} is deactivated.`
  const { grantedBy = [], withheldBy = [] } = permissions.find((each) => each.key === key) ?? {}
  if (grantedBy.length > 0) {
    return `Yes, with ${factors(assurance)}: ${key} comes from ${named(grantedBy)}.`
  }
  if (withheldBy.length > 0) {
    const roles = named(withheldBy)
    return `Not with ${factors(assurance)}: ${roles} would give ${key}, and needs a second factor.`
  }
  return `No: no role of ${name} has ${key}.`
}
