import { Link, useLocation } from 'wouter-preact'
import { capital } from '../../shared/capital.ts'
import { ok, portal, savedFrom } from '../../shared/client.ts'
import type { Saved, Schemas } from '../../shared/client.ts'
import { useLoaded } from '../../shared/load.tsx'
import { ActionButton, ConfirmButton, ReadOnlyButton } from '../action-buttons.tsx'
import type { Words } from '../command-line.tsx'
import { labelOfUser } from '../list/user-label.ts'
import { may, mayWrite } from '../may.ts'
import { loadRoles } from '../roles/names.ts'
import { report } from '../shell/status.tsx'
import { drafts, keepDraft } from './editing.ts'
import { pathOf, revisionOf } from './revisions.ts'
import type { Subject } from './revisions.ts'

interface WriteLinkProps {
  label: string
  href: string
  /** The command that does the same. */
  words: Words
  isQuiet?: boolean
}

/** A link to a form, where changes are allowed. */
const WriteLink = ({ label, href, words, isQuiet = false }: WriteLinkProps) =>
  mayWrite() ? (
    <Link href={href} role="button" class={isQuiet ? 'outline' : undefined}>
      {label}
    </Link>
  ) : (
    <ReadOnlyButton label={label} words={words} />
  )

/** The primary action of a list. */
export const CreateLink = ({ kind }: Pick<Subject, 'kind'>) =>
  may('flags:create') && (
    <WriteLink
      label={`Create a ${kind}`}
      href={`/new-${kind}`}
      words={[`${kind} create`, ['--file', `${kind}.json`]]}
    />
  )

/** Opens the editor of a flag or a segment, or closes it. It keeps the focus. */
export const EditLink = ({ of, isOpen }: { of: Subject; isOpen: boolean }) =>
  may('flags:update') && (
    <WriteLink
      label={isOpen ? 'Done' : 'Edit'}
      href={editorOf(of, !isOpen)}
      words={updateWords(of)}
      isQuiet={isOpen}
    />
  )

/** The address of the page, or of its editor. */
export const editorOf = ({ kind, key }: Subject, isOpen = true) =>
  `/${kind}s/${key}${isOpen ? '/edit' : ''}`

export const updateWords = ({ kind, key }: Subject): Words => [
  `${kind} update`,
  key,
  ['--file', 'changes.json']
]

/** Loads the names of the people and the roles that sentences about these rules name. */
export const useNames = (rules: readonly Pick<Schemas['FlagRule'], 'when'>[]) => {
  const ids = rules.flatMap(({ when: { users = [] } }) => (users.length < 3 ? users : []))
  const hasRoles = rules.some(({ when }) => when.rolesAny)
  useLoaded(['names', ids, hasRoles], (signal) =>
    Promise.all([...ids.map((id) => labelOfUser(id, signal)), hasRoles && loadRoles(signal)])
  )
}

/** Whether the address asks for the editor, and the reader may use it. */
export const isEditing = (mode: string | undefined) =>
  mode === 'edit' && may('flags:update') && mayWrite()

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
  etag: string
}

/** A button that deletes a flag or a segment, after a question. */
export function Delete({ of: { kind, key }, etag }: DeleteProps) {
  const [, navigate] = useLocation()
  const remove = async () => {
    const params = { path: { key }, header: { 'if-match': etag } }
    await ok(portal.DELETE(pathOf({ kind, key }), { params }))
    keepDraft({ kind, key }, undefined)
    navigate(`/${kind}s`)
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
