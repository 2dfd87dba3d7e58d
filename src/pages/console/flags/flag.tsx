import type { Schemas } from '../../shared/client.ts'
import { Loaded, useGet } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { Ago } from '../../shared/time.tsx'
import { formats } from '../counts.ts'
import { may } from '../may.ts'
import { Plot } from '../plot.tsx'
import { Definition } from './definition.tsx'
import { Editor } from './editor.tsx'
import { isEditing, State, Switch } from './parts.tsx'
import { UseIt } from './reading.tsx'
import { seriesOf } from './evaluation-series.ts'

export const Flag = ({ flag: key = '', mode }: Record<string, string | undefined>) => (
  <>
    <Definition<Schemas['Flag']>
      of={{ kind: 'flag', key }}
      isOpen={isEditing(mode)}
      about={(flag) => (
        <>
          <State of={flag} />
          {flag.public && <span class="chip">Public</span>}
          {flag.permanent && <span class="chip">Permanent</span>}
          <span>
            <code>{flag.type}</code>, created <Ago at={flag.createdAt} />, changed{' '}
            <Ago at={flag.updatedAt} />
          </span>
        </>
      )}
      action={(flag, onTurned) => may('flags:update') && <Switch {...{ flag, onTurned }} />}
      loss={() => 'Apps then use the default in their code. A deleted flag can be restored.'}
    >
      {(saved, onSaved) => (
        <>
          <Editor saved={saved} onSaved={onSaved} isOpen={isEditing(mode)} />
          <Evaluations flagKey={key} />
          {!isEditing(mode) && <UseIt flag={saved.value} />}
        </>
      )}
    </Definition>
    <EarlyEvaluations flagKey={key} />
  </>
)

export const NewFlag = () => (
  <Page title="New flag" about="Apps ask for it by its key, and get one of its variants.">
    <Editor />
  </Page>
)

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
