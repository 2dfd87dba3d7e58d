import { Link, useLocation } from 'wouter-preact'
import { capital } from '../../shared/capital.ts'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { ActionButton, ConfirmButton, ReadOnlyButton } from '../action-buttons.tsx'
import { may, mayWrite } from '../may.ts'
import { report } from '../shell/status.tsx'
import { drafts, keepDraft } from './editing.ts'
import { pathOf, revisionOf, savedFrom } from './revisions.ts'
import type { Saved, Subject } from './revisions.ts'

/** The primary action of a list. */
export function CreateLink({ kind }: Pick<Subject, 'kind'>) {
  const label = `Create a ${kind}`
  if (!may('flags:create')) return null
  return mayWrite() ? (
    <Link href={`/new-${kind}`} role="button">
      {label}
    </Link>
  ) : (
    <ReadOnlyButton label={label} words={[`${kind} create`, ['--file', `${kind}.json`]]} />
  )
}

interface SwitchProps {
  flag: Pick<Schemas['Flag'], 'key' | 'state'>
  onTurned(saved: Saved<Schemas['Flag']>): unknown
}

/** A button that disables a flag, or enables it, and offers the opposite. */
export function Switch({ flag: { key, state }, onTurned }: SwitchProps) {
  const turn = async (next: typeof state, isUndone = false) => {
    await onTurned(await turnFlag(key, next))
    report(`The flag ${key} is ${next}.`, isUndone ? undefined : () => turn(state, true))
  }
  const [next, action] =
    state === 'enabled' ? (['disabled', 'disable'] as const) : (['enabled', 'enable'] as const)
  return (
    <ActionButton
      words={[`flag ${action}`, key]}
      label={capital(action)}
      about={key}
      onPress={() => turn(next)}
    />
  )
}

/** Enables or disables a flag, also in its unsaved changes. */
async function turnFlag(key: string, state: Schemas['Flag']['state']) {
  const params = { path: { key } }
  const next = await savedFrom(portal.PATCH('/api/admin/flags/{key}', { params, body: { state } }))
  const draft = drafts.value.get(`flag ${key}`)
  if (draft) {
    // An older version of others stays the base, so that saving over it is refused.
    const base = draft.base && revisionOf(draft.base) + 1 < revisionOf(next) ? draft.base : next
    keepDraft({ kind: 'flag', key }, { base, form: { ...draft.form, state } })
  }
  return next
}

export const State = ({ of: { state } }: { of: Pick<Schemas['Flag'], 'state'> }) =>
  state === 'enabled' ? <span class="chip good">Enabled</span> : <span class="chip">Disabled</span>

interface DeleteProps {
  of: Subject
  /** The ETag of the revision that the user has seen. */
  etag?: string
  /** By default, the list is shown. */
  onDeleted?(): unknown
}

/** A button that deletes a flag or a segment, after a question. */
export function Delete({ of: { kind, key }, etag, onDeleted }: DeleteProps) {
  const [, navigate] = useLocation()
  const remove = async () => {
    const params = { path: { key }, ...(etag && { header: { 'if-match': etag } }) }
    await ok(portal.DELETE(pathOf({ kind, key }), { params }))
    keepDraft({ kind, key }, undefined)
    if (onDeleted) await onDeleted()
    else navigate(`/${kind}s`)
    report(`The ${kind} ${key} is deleted.`)
  }
  return (
    <ConfirmButton
      label="Delete"
      about={key}
      isDangerous
      onSubmit={remove}
      words={[`${kind} delete`, key]}
    >
      <p>
        {kind === 'flag'
          ? 'Apps then use the default in their code. To keep the flag and its rules, disable it ' +
            'instead.'
          : 'No flag uses it. A deleted segment can be restored.'}
      </p>
    </ConfirmButton>
  )
}
