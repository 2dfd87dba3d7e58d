import { useEffect, useState } from 'preact/hooks'
import { Field } from '../../shared/controls.tsx'
import { dateTimeOf, localTimeOf } from '../../shared/local-time.ts'
import { zone } from '../../shared/time-format.ts'
import { at, useEditor, VariantChoice } from './fields.tsx'
import { changed, newId, split } from './form.ts'
import type { FlagForm, RuleForm } from './form.ts'
import { whyNever } from './never.ts'
import { ruleSentence } from './sentences.ts'
import { SegmentsChoice } from './segments-choice.tsx'
import { Shares } from './shares.tsx'
import { WhenFields } from './when-fields.tsx'

interface RuleProps {
  rule: RuleForm
  index: number
  onMove(by: 1 | -1): void
  onRemove(): void
}

/** A rule as a sentence, which opens for editing. */
export function Rule({ rule, index, onMove, onRemove }: RuleProps) {
  const { flag, mistakes, decided } = useEditor()
  const { id } = rule
  const isNew = id.startsWith('+')
  const [isOpen, setOpen] = useState(isNew)
  const isWrong = Object.keys(mistakes).some((each) => each.startsWith(`rules/${id}/`))
  const decides = decided?.rule === id
  const hasBucket = decides && decided.bucket !== null
  useEffect(() => {
    if (isWrong || hasBucket) setOpen(true)
  }, [isWrong, hasBucket])
  const read = flag.rules[index]
  const never = whyNever(flag.rules, index)
  const button = (by: 1 | -1, name: 'up' | 'down', isEnd = !flag.rules[index + by]) => (
    <button
      id={`${name}/${id}`}
      type="button"
      class={isEnd ? 'locked' : 'outline'}
      aria-disabled={isEnd}
      onClick={() => onMove(by)}
    >
      {name === 'up' ? 'Up' : 'Down'}
      <span class="unseen"> rule {index + 1}</span>
    </button>
  )
  return (
    <article class={decides ? 'decides' : undefined} aria-labelledby={`title/${id}`}>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <h3 id={`title/${id}`}>
            <small class="muted">Rule {index + 1}</small> {decides && <mark>Decides</mark>}
          </h3>{' '}
          {read && ruleSentence(read, flag)}
        </summary>
        <RuleFields rule={rule} bucket={decides ? decided.bucket : null} />
      </details>
      <div class="actions">
        {button(-1, 'up')}
        {button(1, 'down')}
        <button type="button" class="outline" onClick={onRemove}>
          Remove<span class="unseen"> rule {index + 1}</span>
        </button>
      </div>
      <p role="status" class="never">
        {never}
      </p>
    </article>
  )
}

function RuleFields({ rule, bucket }: { rule: RuleForm; bucket: number | null }) {
  const { form, mistakes, edit } = useEditor()
  const place = `rules/${rule.id}`
  const change = (inner: string, changes: Partial<RuleForm>) =>
    edit(place + inner, { rules: changed(form.rules, rule.id, changes) })
  const setServe = (serve: string) => {
    const isFirst = serve === split && rule.shares.length === 0
    change('/serve', { serve, ...(isFirst && { shares: sharesAtFirst(form) }) })
  }
  return (
    <>
      <WhenFields place={place} when={rule} onChange={change}>
        <SegmentsChoice
          place={`${place}/segments`}
          chosen={rule.segments}
          mistake={mistakes[`${place}/segments`]}
          onChange={(segments) => change('/segments', { segments })}
        />
        <div class="grid">
          {(['from', 'until'] as const).map((part) => (
            <Field
              key={part}
              label={part === 'from' ? 'From' : 'Until'}
              {...at(`${place}/${part}`)}
              hint={`Time in your zone, ${zone()}.`}
              type="datetime-local"
              step="any"
              max="9999-12-31T23:59"
              value={localTimeOf(rule[part]) ?? ''}
              onValue={(time) => change(`/${part}`, { [part]: dateTimeOf(time) ?? '' })}
            />
          ))}
        </div>
      </WhenFields>
      <VariantChoice
        label="Serve"
        {...at(`${place}/serve`)}
        value={rule.serve}
        withSplit={split}
        onValue={setServe}
      />
      {rule.serve === split && (
        <Shares
          place={place}
          shares={rule.shares}
          bucket={bucket}
          onChange={(inner, shares) => change(inner, { shares })}
        />
      )}
    </>
  )
}

/** The first variant gets everything: others take from it. */
const sharesAtFirst = ({ variants }: FlagForm) =>
  variants.map(({ id }, n) => ({ id: newId(), variant: id, percent: n === 0 ? '100' : '0' }))
