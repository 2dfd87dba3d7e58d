import { useLocation } from 'wouter-preact'
import { Loaded, useLoaded } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { Ago } from '../../shared/time.tsx'
import { CommandLine } from '../command-line.tsx'
import { DangerZone } from '../danger-zone.tsx'
import { may } from '../may.ts'
import { useRemembered } from '../search/recent.ts'
import { report } from '../shell/status.tsx'
import { Ahead } from './ahead.tsx'
import { DeleteFlag } from './delete.tsx'
import { readFlag } from './drafts.ts'
import type { Saved } from './drafts.ts'
import { Editor } from './editor.tsx'
import { EarlyEvaluations, Evaluations } from './evaluations.tsx'
import { History, useHistory } from './history.tsx'
import type { LoadedHistory } from './history.tsx'
import { Missing, titleOf } from './missing.tsx'
import { State, Switch } from './switch.tsx'

export function Flag({ flag: name = '' }: Record<string, string | undefined>) {
  const loaded = useLoaded(['/api/admin/flags', name], () => readFlag(name))
  const { value: saved, replace } = loaded
  const history = useHistory({ kind: 'flag', key: name })
  useRemembered(saved && { kind: 'flag', path: `/flags/${name}`, title: name })
  return (
    <Page
      title={titleOf('Flag', name, loaded)}
      about={saved && <Summary flag={saved.flag} />}
      action={saved && may('flags:update') && <Switch flag={saved.flag} onTurned={replace} />}
    >
      <EarlyEvaluations flagKey={name} />
      <Loaded from={loaded} missing={<Missing kind="flag" name={name} />}>
        {(saved) => <View key={name} {...{ saved, history }} onSaved={replace} />}
      </Loaded>
    </Page>
  )
}

const Summary = ({ flag }: Pick<Saved, 'flag'>) => (
  <span class="summary">
    <State of={flag} />
    {flag.public && <span class="chip">Public</span>}
    {flag.permanent && <span class="chip">Permanent</span>}
    <span>
      <code>{flag.type}</code>, created <Ago at={flag.createdAt} />, changed{' '}
      <Ago at={flag.updatedAt} />
    </span>
  </span>
)

export const NewFlag = () => (
  <Page title="New flag" about="Apps ask for it by its key, and get one of its variants.">
    <Editor />
  </Page>
)

interface ViewProps {
  saved: Saved
  onSaved(saved: Saved): void
  history: LoadedHistory
}

function View({ saved, onSaved, history }: ViewProps) {
  const [, navigate] = useLocation()
  const { key } = saved.flag
  return (
    <>
      <Editor saved={saved} onSaved={onSaved} />
      <Ahead flag={saved.flag} />
      <Evaluations flagKey={key} />
      <History of={{ kind: 'flag', key }} updatedAt={saved.flag.updatedAt} history={history} />
      <CommandLine words={['flag show', key, '--json']} />
      {may('flags:delete') && (
        <DangerZone
          title="Delete this flag"
          loss="Apps then use the default in their code. A deleted flag can be restored."
        >
          <DeleteFlag
            flagKey={key}
            etag={saved.etag}
            onDeleted={() => {
              report(`The flag ${key} is deleted.`)
              navigate('/flags')
            }}
          />
        </DangerZone>
      )}
    </>
  )
}
