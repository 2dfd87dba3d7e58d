import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { Loaded, useLoaded } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { Time } from '../../shared/time.tsx'
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

export function Flag({ flag: name = '' }: Record<string, string | undefined>) {
  const loaded = useLoaded(['/api/admin/flags', name], () => readFlag(name))
  const history = useHistory({ kind: 'flag', key: name })
  useRemembered(loaded.value && { kind: 'flag', path: `/flags/${name}`, title: name })
  return (
    <Page title={`Flag ${name}`} about={loaded.value && <Summary flag={loaded.value.flag} />}>
      <EarlyEvaluations flagKey={name} />
      <Loaded from={loaded}>
        {(saved) => <View key={name} loaded={saved} history={history} />}
      </Loaded>
    </Page>
  )
}

const Summary = ({ flag: { type, state, createdAt, updatedAt, ...flag } }: Pick<Saved, 'flag'>) => (
  <span class="summary">
    {state === 'enabled' ? (
      <span class="chip good">Enabled</span>
    ) : (
      <span class="chip">Disabled</span>
    )}
    {flag.public && <span class="chip">Public</span>}
    {flag.permanent && <span class="chip">Permanent</span>}
    <span>
      <code>{type}</code>, created <Time at={createdAt} />, last changed <Time at={updatedAt} />
    </span>
  </span>
)

export const NewFlag = () => (
  <Page title="New flag">
    <Editor />
  </Page>
)

function View({ loaded, history }: { loaded: Saved; history: LoadedHistory }) {
  const [changed, setChanged] = useState<Saved>()
  const [, navigate] = useLocation()
  // What this page has saved is newer than what it loaded before, but not than a later load.
  const saved = changed && changed.flag.updatedAt >= loaded.flag.updatedAt ? changed : loaded
  const { key } = saved.flag
  return (
    <>
      <Editor saved={saved} onSaved={setChanged} />
      <Ahead flag={saved.flag} />
      <Evaluations flagKey={key} />
      <History of={{ kind: 'flag', key }} updatedAt={saved.flag.updatedAt} history={history} />
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
