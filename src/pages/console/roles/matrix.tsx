import './matrix.css'
import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { ProblemNotice } from '../../shared/problem.tsx'
import { may, mayWrite } from '../may.ts'

/** With more roles, each permission is followed by their names instead. */
const mostColumns = 8

const narrow = matchMedia('(max-width: 48rem)')
const isNarrow = signal(narrow.matches)
narrow.addEventListener('change', () => {
  isNarrow.value = narrow.matches
})

interface MatrixProps {
  permissions: readonly Schemas['Permission'][]
  roles: readonly Schemas['Role'][]
}

/** A checkbox for each permission of each role, which takes effect at once. */
export function Matrix({ permissions, roles }: MatrixProps) {
  const [changed, setChanged] = useState<Record<string, boolean>>({})
  const isWide = roles.length > mostColumns || isNarrow.value
  const shape = roles.length === 1 ? 'single' : isWide ? 'wide' : ''
  const waiting = useRef(new Set<string>())
  const [result, setResult] = useState<{ text?: string; error?: unknown }>({})
  useEffect(() => setChanged({}), [roles])

  async function set(key: string, permission: string, isGranted: boolean) {
    const cell = `${key} ${permission}`
    const params = { path: { key, permission } }
    const address = '/api/admin/roles/{key}/permissions/{permission}'
    const show = (value: boolean) => setChanged((before) => ({ ...before, [cell]: value }))
    waiting.current.add(cell)
    show(isGranted)
    setResult({})
    try {
      await ok(isGranted ? portal.PUT(address, { params }) : portal.DELETE(address, { params }))
      setResult({ text: `${key} ${isGranted ? 'now has' : 'no longer has'} ${permission}.` })
    } catch (error) {
      show(!isGranted)
      setResult({ error })
    } finally {
      waiting.current.delete(cell)
    }
  }

  return (
    <>
      {!may('roles:update') ? (
        <p class="muted">
          To change them, you need the permission <code>roles:update</code>.
        </p>
      ) : (
        !mayWrite() && <p class="muted">This console only reads. The command below changes them.</p>
      )}
      <div role="region" aria-label="Permissions of roles">
        <table class={`matrix ${shape}`} onKeyDown={moveFocus}>
          <thead>
            <tr>
              <th scope="col">Permission</th>
              {roles.map(({ key }) => (
                <th key={key} scope="col">
                  <Link href={`/roles/${key}`}>{key}</Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {permissions.map(({ key: permission, description }) => (
              <tr key={permission}>
                <th scope="row">
                  <code>{permission}</code>
                  <small>{description}</small>
                </th>
                {roles.map(({ key, permissions: granted }) => {
                  const cell = `${key} ${permission}`
                  return (
                    <td key={key}>
                      <label>
                        <input
                          type="checkbox"
                          aria-label={`${key}: ${permission}`}
                          checked={
                            key === 'admin' || (changed[cell] ?? granted.includes(permission))
                          }
                          // It has all of them, also those that are created later.
                          disabled={key === 'admin' || !may('roles:update') || !mayWrite()}
                          onClick={(event) => {
                            if (waiting.current.has(cell)) event.preventDefault()
                          }}
                          onChange={({ currentTarget: { checked } }) => {
                            void set(key, permission, checked)
                          }}
                        />
                        <span aria-hidden="true">{key}</span>
                      </label>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="matrix-result">
        <p role="status">{result.text}</p>
        {result.error !== undefined && <ProblemNotice error={result.error} />}
      </div>
    </>
  )
}

const steps: Partial<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1]
}

/** Arrow keys move from checkbox to checkbox. */
function moveFocus(event: KeyboardEvent) {
  const cell = event.target instanceof Element && event.target.closest('td')
  const [rows, columns] = steps[event.key] ?? []
  if (!cell || rows === undefined || columns === undefined) return
  const row = rows === 0 ? cell.parentElement : siblingOf(cell.parentElement, rows)
  const next = row?.children[cell.cellIndex + columns]?.querySelector('input')
  event.preventDefault()
  next?.focus()
}

const siblingOf = (element: Element | null, step: number) =>
  step < 0 ? element?.previousElementSibling : element?.nextElementSibling
