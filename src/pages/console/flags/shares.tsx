import { Field } from '../../shared/controls.tsx'
import { at, useEditor, VariantChoice } from './fields.tsx'
import { changed, newId, removed } from './form.ts'
import type { ShareForm } from './form.ts'
import { all, percent, restOf, shareAt, weightOf } from './texts.ts'

/** The shares of a split, and what is left of 100 %. */
export function Shares({
  place,
  shares,
  bucket,
  onChange
}: {
  /** Of the rule. */
  place: string
  shares: readonly ShareForm[]
  /** Of the targeting key that was tried, if this rule decided. */
  bucket: number | null
  /** @param inner which of them has changed */
  onChange(inner: string, shares: ShareForm[]): void
}) {
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
            <button
              type="button"
              class="outline"
              onClick={() => {
                onChange(inner, removed(shares, id))
                focus(add)
              }}
            >
              Remove<span class="unseen"> the share of {name}</span>
            </button>
          </div>
        )
      })}
      <div class="actions">
        <button id={add} type="button" class="outline" onClick={addShare}>
          Add a share
        </button>
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

/** Of two shares, the other one gets the rest. */
function balanced(shares: readonly ShareForm[], id: string, text: string) {
  const weight = weightOf(text)
  const next = changed(shares, id, { percent: text })
  const other = next.length === 2 ? next.find((each) => each.id !== id) : undefined
  return other && weight !== undefined
    ? changed(next, other.id, { percent: percent(all - weight) })
    : next
}
