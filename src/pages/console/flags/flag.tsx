import { upcomingChanges } from '../../../common/upcoming-changes.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, useGet, useLoaded } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { Ago, Time } from '../../shared/time.tsx'
import { DangerZone } from '../action-buttons.tsx'
import { CommandLine } from '../command-line.tsx'
import { formats } from '../counts.ts'
import { may } from '../may.ts'
import { Plot } from '../plot.tsx'
import { useRemembered } from '../search/found.ts'
import { Editor } from './editor.tsx'
import { History, useHistory } from './history.tsx'
import type { LoadedHistory } from './history.tsx'
import { Delete, Missing, State, Switch, titleOf } from './parts.tsx'
import { readPresent } from './revisions.ts'
import type { Saved } from './revisions.ts'
import { ruleSentence } from './sentences.ts'
import { seriesOf } from './evaluation-series.ts'

type Stored = Schemas['Flag']

export function Flag({ flag: name = '' }: Record<string, string | undefined>) {
  const loaded = useLoaded(['/api/admin/flags', name], () =>
    readPresent<Stored>({ kind: 'flag', key: name })
  )
  const { value: saved, replace } = loaded
  const history = useHistory({ kind: 'flag', key: name })
  useRemembered(saved && { kind: 'flag', path: `/flags/${name}`, title: name })
  return (
    <Page
      title={titleOf('Flag', name, loaded)}
      about={saved && <Summary flag={saved.value} />}
      action={saved && may('flags:update') && <Switch flag={saved.value} onTurned={replace} />}
    >
      <EarlyEvaluations flagKey={name} />
      <Loaded from={loaded} missing={<Missing kind="flag" name={name} />}>
        {(saved) => <View key={name} {...{ saved, history }} onSaved={replace} />}
      </Loaded>
    </Page>
  )
}

const Summary = ({ flag }: { flag: Stored }) => (
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
  saved: Saved<Stored>
  onSaved(saved: Saved<Stored>): void
  history: LoadedHistory
}

function View({ saved, onSaved, history }: ViewProps) {
  const { key } = saved.value
  return (
    <>
      <Editor saved={saved} onSaved={onSaved} />
      <Upcoming flag={saved.value} />
      <Evaluations flagKey={key} />
      <History of={{ kind: 'flag', key }} updatedAt={saved.value.updatedAt} history={history} />
      <CommandLine words={['flag show', key, '--json']} />
      {may('flags:delete') && (
        <DangerZone
          title="Delete this flag"
          loss="Apps then use the default in their code. A deleted flag can be restored."
        >
          <Delete of={{ kind: 'flag', key }} etag={saved.etag} />
        </DangerZone>
      )}
    </>
  )
}

const useEvaluations = (key: string) =>
  useGet('/api/admin/flags/{key}/evaluations', { path: { key } })

/** Loads them along with the flag, before there is a place for them. */
function EarlyEvaluations({ flagKey }: { flagKey: string }) {
  useEvaluations(flagKey)
  return null
}

/** Which variants apps got in the last 30 days. */
function Evaluations({ flagKey: key }: { flagKey: string }) {
  const counted = useEvaluations(key)
  return (
    <section class="evaluations" aria-labelledby="evaluations-heading">
      <h2 id="evaluations-heading" class={counted.value?.variants.length ? 'unseen' : undefined}>
        Evaluations
      </h2>
      <Loaded from={counted}>
        {(counts) =>
          counts.variants.length === 0 ? (
            <p>No app has asked for this flag in the last 30 days.</p>
          ) : (
            <Plot
              title="Evaluations in the last 30 days"
              times={counts.days.map((day) => Date.parse(day))}
              format={formats.day}
              series={seriesOf(counts)}
            />
          )
        }
      </Loaded>
    </section>
  )
}

/** Without its times, which are in the line above. */
function untimed({ when, serve }: Stored['rules'][number]) {
  const { from: _, until: __, ...others } = when
  return { when: others, serve }
}

/** When rules of a flag begin and end next. Nothing of a flag without times ahead. */
function Upcoming({ flag }: { flag: Stored }) {
  const changes = upcomingChanges(flag, Date.now())
  if (changes.length === 0) return null
  return (
    <section aria-labelledby="ahead-heading">
      <h2 id="ahead-heading">What will change</h2>
      <ul class="rows">
        {changes.map(({ at, rule, change }) => (
          <li key={`${rule} ${change}`}>
            <div>
              <strong>
                <Time at={at.toISOString()} />
              </strong>
              : rule {rule + 1} {change}
              <br />
              <small class="muted">
                {flag.rules[rule] && ruleSentence(untimed(flag.rules[rule]), flag)}
              </small>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
