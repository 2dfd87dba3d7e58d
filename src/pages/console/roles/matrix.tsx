import './matrix.css'
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Choice } from '../../shared/controls.tsx'
import { ProblemNotice } from '../../shared/problem.tsx'
import { useFocusKept } from '../list/table.tsx'
import { may, mayWrite } from '../may.ts'
import { shortName } from '../user/short-name.ts'

// With more roles than there is room for, one of them is chosen.
const widths = ['(width >= 48rem)', '(width >= 75rem)'].map((query) => matchMedia(query))
const roomFor = () => [0, 5, 7][widths.filter(({ matches }) => matches).length] ?? 0
const mostColumns = signal(roomFor())
for (const width of widths) {
  width.addEventListener('change', () => {
    mostColumns.value = roomFor()
  })
}

const cellOf = (role: string, permission: string) => `${role} ${permission}`

interface MatrixProps {
  permissions: readonly Schemas['Permission'][]
  roles: readonly Schemas['Role'][]
  onChanged?(): unknown
  /** Buttons of a permission. */
  actionsFor?(permission: Schemas['Permission']): ComponentChildren
}

/** A checkbox for each permission of each role, which takes effect at once. */
export function Matrix({ permissions, roles, onChanged, actionsFor }: MatrixProps) {
  const [changed, setChanged] = useState<Record<string, boolean>>({})
  const only = roles.length === 1 ? roles[0] : undefined
  // It has all of them: a column of its own would say nothing.
  const others = only ? roles : roles.filter(({ key }) => key !== 'admin')
  const [chosen, choose] = useState(others[0]?.key ?? '')
  const hasRoom = others.length <= mostColumns.value
  const shown = hasRoom ? others : others.filter(({ key }) => key === chosen)
  const shape = shown.length === 1 ? 'single' : ''
  // Permissions of the app come first.
  const groups = [false, true]
    .map((isOfPortal) => permissions.filter(({ system }) => system === isOfPortal))
    .filter(({ length }) => length > 0)
  const waiting = useRef(new Set<string>())
  const region = useFocusKept<HTMLDivElement>()
  const [result, setResult] = useState<{ text?: string; error?: unknown }>({})
  useEffect(() => setChanged({}), [roles])

  const has = ({ key, permissions }: Schemas['Role'], permission: string) =>
    changed[cellOf(key, permission)] ?? permissions.includes(permission)
  const granted = only && permissions.filter(({ key }) => has(only, key)).length

  async function set({ key, name }: Schemas['Role'], permission: string, isGranted: boolean) {
    const cell = cellOf(key, permission)
    const params = { path: { key, permission } }
    const address = '/api/admin/roles/{key}/permissions/{permission}'
    const show = (value: boolean) => setChanged((before) => ({ ...before, [cell]: value }))
    waiting.current.add(cell)
    show(isGranted)
    setResult({})
    try {
      await ok(isGranted ? portal.PUT(address, { params }) : portal.DELETE(address, { params }))
      setResult({
        text: `${shortName({ name })} ${isGranted ? 'now has' : 'no longer has'} ${permission}.`
      })
      onChanged?.()
    } catch (error) {
      show(!isGranted)
      setResult({ error })
    } finally {
      waiting.current.delete(cell)
    }
  }

  return (
    <>
      <p class="muted">
        {only && `${granted} of ${permissions.length} granted. `}
        {roles.length === 0 ? (
          <>
            To see which roles have them, you need the permission <code>roles:read</code>.
          </>
        ) : !may('roles:update') ? (
          <>
            To change them, you need the permission <code>roles:update</code>.
          </>
        ) : !mayWrite() ? (
          'This console only reads. The command below changes them.'
        ) : (
          only?.key !== 'admin' && 'A change takes effect at once.'
        )}
        {roles.some(({ key }) => key === 'admin') &&
          ' The role Administrator has every permission.'}
      </p>
      {!only && shape && (
        <div class="filters">
          <Choice
            label="Role"
            name="role"
            value={chosen}
            options={others.map(({ key, name }) => [key, shortName({ name })])}
            onValue={choose}
          />
        </div>
      )}
      <div ref={region} role="region" aria-label="Permissions of roles" tabIndex={-1}>
        <table class={`matrix ${shape}`}>
          <thead>
            <tr>
              <th scope="col">Permission</th>
              {shown.map(({ key, name }) => (
                <th key={key} scope="col" title={key}>
                  <Link href={`/roles/${key}`}>{name}</Link>
                </th>
              ))}
              {actionsFor && (
                <th>
                  <span class="unseen">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          {groups.map((group) => (
            <tbody key={group[0]?.system}>
              <tr class="group">
                <th>{group[0]?.system ? 'Part of the portal' : 'Your app'}</th>
              </tr>
              {group.map((each) => (
                <tr key={each.key}>
                  <th scope="row">
                    <code>{each.key}</code>
                    <small>{each.description}</small>
                  </th>
                  {shown.map((role) => {
                    const { key } = role
                    const name = shortName(role)
                    return (
                      <td key={key}>
                        <label>
                          <input
                            type="checkbox"
                            aria-label={`${name}: ${each.key}`}
                            checked={has(role, each.key)}
                            // It is granted all of them, also those that are created later.
                            disabled={key === 'admin' || !may('roles:update') || !mayWrite()}
                            onClick={(event) => {
                              if (waiting.current.has(cellOf(key, each.key))) {
                                event.preventDefault()
                              }
                            }}
                            onChange={({ currentTarget: { checked } }) => {
                              void set(role, each.key, checked)
                            }}
                          />
                        </label>
                      </td>
                    )
                  })}
                  {actionsFor && (
                    <td class="does">
                      <div>{actionsFor(each)}</div>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
      <div class="matrix-result">
        <p role="status">{result.text}</p>
        {result.error !== undefined && <ProblemNotice error={result.error} />}
      </div>
    </>
  )
}
