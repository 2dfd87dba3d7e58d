import { Field } from '../../shared/controls.tsx'
import { at, useEditor, VariantChoice } from './fields.tsx'
import { newId } from './form.ts'
import type { ShareForm } from './form.ts'
import { percent, restOf, shareAt } from './texts.ts'

type Alter = (shares: ShareForm[]) => ShareForm[]

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
  onChange(inner: string, alter: Alter): void
}) {
  const { form, focus } = useEditor()
  const add = `${place}/add-share`
  const rest = restOf(shares)
  const hit = bucket === null ? undefined : shareAt(shares, bucket)
  const addShare = () => {
    const id = newId()
    const variant = form.variants.find((each) => shares.every((share) => share.variant !== each.id))
    const left = rest === undefined ? '' : percent(Math.max(0, rest))
    onChange('serve', (before) => [
      ...before,
      { id, variant: (variant ?? form.variants[0])?.id ?? '', percent: left }
    ])
    focus(`${place}/shares/${id}/variant`)
  }
  return (
    <fieldset>
      <legend>Shares</legend>
      {shares.map(({ id, ...share }) => {
        const inner = `shares/${id}`
        const change = (changes: Partial<ShareForm>) =>
          onChange(inner, (before) =>
            before.map((each) => (each.id === id ? { ...each, ...changes } : each))
          )
        return (
          <div key={id} class="row">
            <VariantChoice
              label={<>Variant {hit?.id === id && <mark>Bucket {percent(bucket ?? 0)} %</mark>}</>}
              {...at(`${place}/${inner}/variant`)}
              value={share.variant}
              onValue={(variant) => change({ variant })}
            />
            <Field
              label="Percent"
              {...at(`${place}/${inner}`)}
              value={share.percent}
              inputMode="decimal"
              maxLength={7}
              onValue={(percent) => change({ percent })}
            />
            <button
              type="button"
              class="secondary outline"
              onClick={() => {
                onChange(inner, (before) => before.filter((each) => each.id !== id))
                focus(add)
              }}
            >
              Remove<span class="unseen"> this share</span>
            </button>
          </div>
        )
      })}
      <div class="actions">
        <button id={add} type="button" class="secondary outline" onClick={addShare}>
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
