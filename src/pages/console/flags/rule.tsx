import { useEffect, useState } from 'preact/hooks'
import { Field } from '../../shared/controls.tsx'
import { Action } from '../../shared/form.tsx'
import { dateTimeOf, localTimeOf } from '../../shared/setting-fields.ts'
import { zone } from '../../shared/time-format.ts'
import { named } from '../action-buttons.tsx'
import { at, useEditor, VariantChoice } from './fields.tsx'
import { changed, newId, removed, split } from './form.ts'
import type { FlagForm, RuleForm, ShareForm } from './form.ts'
import { ruleSentence, whyUnreachable } from './sentences.ts'
import { WhenFields } from './when-fields.tsx'
import { all, percent, restOf, shareAt, weightOf } from './when-form.ts'

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
  const never = whyUnreachable(flag.rules, index)
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
        <Action label={named('Remove', `rule ${index + 1}`)} kind="outline" onPress={onRemove} />
      </div>
      <p role="status" class="never">
        {never}
      </p>
    </article>
  )
}

function RuleFields({ rule, bucket }: { rule: RuleForm; bucket: number | null }) {
  const { form, edit } = useEditor()
  const place = `rules/${rule.id}`
  const change = (inner: string, changes: Partial<RuleForm>) =>
    edit(place + inner, { rules: changed(form.rules, rule.id, changes) })
  const setServe = (serve: string) => {
    const isFirst = serve === split && rule.shares.length === 0
    change('/serve', { serve, ...(isFirst && { shares: sharesAtFirst(form) }) })
  }
  return (
    <>
      <WhenFields place={place} when={rule} onChange={change} hasSegments>
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

interface SharesProps {
  /** The place of the rule. */
  place: string
  shares: readonly ShareForm[]
  /** The bucket of the tried targeting key, if this rule decided. */
  bucket: number | null
  /** @param inner which of them has changed */
  onChange(inner: string, shares: ShareForm[]): void
}

/** The shares of a split, and what is left of 100 %. */
function Shares({ place, shares, bucket, onChange }: SharesProps) {
  const { form, focus } = useEditor()
  const add = `${place}/add-share`
  const rest = restOf(shares)
  const hit = bucket === null ? undefined : shareAt(shares, bucket)
  const addShare = () => {
    const id = newId()
    const variant = form.variants.find((each) => shares.every((share) => share.variant !== each.id))
    const left = rest === undefined ? '' : percent(Math.max(0, rest))
    onChange('/serve', [
      ...shares,
      { id, variant: (variant ?? form.variants[0])?.id ?? '', percent: left }
    ])
    focus(`${place}/shares/${id}/variant`)
  }
  return (
    <fieldset>
      <legend>Shares</legend>
      {shares.map((share) => {
        const { id } = share
        const inner = `/shares/${id}`
        const name = form.variants.find((variant) => variant.id === share.variant)?.name ?? ''
        const setPercent = (percent: string) => onChange(inner, balanced(shares, id, percent))
        return (
          <div key={id} class="row">
            <VariantChoice
              label={<>Variant {hit?.id === id && <mark>Bucket {percent(bucket ?? 0)} %</mark>}</>}
              {...at(`${place}${inner}/variant`)}
              value={share.variant}
              onValue={(variant) => onChange(inner, changed(shares, id, { variant }))}
            />
            <Field
              label="Percent"
              {...at(place + inner)}
              value={share.percent}
              inputMode="decimal"
              maxLength={7}
              onValue={setPercent}
            />
            <input
              type="range"
              class="slider"
              aria-label={`Share of ${name}, in percent`}
              autocomplete="off"
              min={0}
              max={100}
              value={(weightOf(share.percent) ?? 0) / 1000}
              onInput={({ currentTarget }) => setPercent(currentTarget.value)}
            />
            <Action
              label={named('Remove', `the share of ${name}`)}
              kind="outline"
              onPress={() => {
                onChange(inner, removed(shares, id))
                focus(add)
              }}
            />
          </div>
        )
      })}
      <div class="actions">
        <Action id={add} label="Add a share" kind="outline" onPress={addShare} />
        <small role="status">
          {rest === undefined
            ? 'A share is not a number.'
            : rest < 0
              ? `${percent(-rest)} % too much`
              : `${percent(rest)} % left`}
        </small>
      </div>
    </fieldset>
  )
}

/** If there are two shares, the other one gets the rest. */
function balanced(shares: readonly ShareForm[], id: string, text: string) {
  const weight = weightOf(text)
  const next = changed(shares, id, { percent: text })
  const other = next.length === 2 ? next.find((each) => each.id !== id) : undefined
  return other && weight !== undefined
    ? changed(next, other.id, { percent: percent(all - weight) })
    : next
}
