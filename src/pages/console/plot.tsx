import './plot.css'
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { lazy } from '../shared/time-format.ts'
import { grouped } from './grouped.ts'
import { Table } from './list/table.tsx'
import { sum, roundUp, line, endsOf, bars } from './plot-shapes.ts'
import type { Values } from './plot-shapes.ts'

interface Series {
  name: string
  values: Values
  /** Where the legend leads. */
  href?: string
  /** Its colour, 0 to 4: 0 for successes, 1 for failures. By default its place in the list. */
  tone?: number
}

interface PlotProps {
  title: string
  /** Bars for counts, which are stacked. Lines for levels. */
  kind: 'bars' | 'lines'
  /** What the values belong to, in milliseconds, and how it is written. */
  times: readonly number[]
  format(time: number): string
  /** At most four, each in another colour. */
  series: readonly Series[]
  unit?: string
}

/**
 * Values over time, as wide as there is room. The legend has the numbers: of the time under the
 * pointer, else the sum of the bars or the end of the lines. All of them are in a table below.
 */
export function Plot({ title, kind, times, format, series, unit = '' }: PlotProps) {
  const [pointed, setPointed] = useState<number>()
  const [isOpen, setOpen] = useState(false)
  const at = pointed !== undefined && pointed < times.length ? pointed : undefined
  const of = ({ values }: Series) =>
    at !== undefined ? values[at] : kind === 'bars' ? sum(values) : values.at(-1)
  const shown = (value: number | null | undefined) =>
    value == null
      ? '–'
      : `${Number.isInteger(value) ? grouped(value) : number().format(value)}${unit}`
  const timeAt = (index: number) => times[index] !== undefined && format(times[index])
  const most = Math.max(
    ...times.map((_, index) => {
      const all = series.map(({ values }) => values[index] ?? 0)
      return kind === 'bars' ? sum(all) : Math.max(...all)
    })
  )
  const highest = roundUp(most)
  const nothing =
    kind === 'bars'
      ? most === 0 && 'Nothing in this period.'
      : times.length < 3 && 'The first values come in a few seconds.'
  const legend = series.map((each) => `${each.name} ${shown(of(each))}`)
  return (
    <figure class="plot">
      <figcaption>
        <strong>{title}</strong> {at !== undefined && <small>{timeAt(at)}</small>}
      </figcaption>
      <ul class="legend">
        {series.map((each, index) => (
          <li key={each.name}>
            <i class={toneOf(each, index)} />
            {each.href === undefined ? each.name : <Link href={each.href}>{each.name}</Link>}{' '}
            <b>{shown(of(each))}</b>
          </li>
        ))}
      </ul>
      {nothing ? (
        <p class="muted">{nothing}</p>
      ) : (
        <>
          <div class="axes">
            <p class="values" aria-hidden="true">
              <small>{shown(highest)}</small>
              <small>{highest === 1 ? '' : shown(highest / 2)}</small>
              <small>{shown(0)}</small>
            </p>
            <svg
              viewBox={`0 0 ${times.length} 100`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`${title}: ${legend.join(', ')}`}
              onPointerMove={({ offsetX, currentTarget: { clientWidth } }) =>
                setPointed(Math.floor((offsetX / clientWidth) * times.length))
              }
              onPointerLeave={() => setPointed(undefined)}
            >
              <path
                class="grid"
                d={`M0 0H${times.length}M0 50H${times.length}M0 100H${times.length}`}
              />
              {at !== undefined && <path class="pointed" d={`M${at} 0h1v100h-1z`} />}
              {series.map((each, index) => (
                <g key={each.name} class={toneOf(each, index)}>
                  {kind === 'lines' ? (
                    <>
                      <path class="lines" d={line(each.values, highest)} />
                      <path class="lines ends" d={line(endsOf(each.values), highest)} />
                    </>
                  ) : (
                    <path
                      class="bars"
                      d={bars(
                        each.values,
                        series.slice(0, index).map(({ values }) => values),
                        highest
                      )}
                    />
                  )}
                </g>
              ))}
            </svg>
            <p class="span">
              <small>{timeAt(0)}</small>
              <small>{timeAt(times.length - 1)}</small>
            </p>
          </div>
          <details onToggle={({ currentTarget: { open } }) => setOpen(open)}>
            <summary>{title} as a table</summary>
            {isOpen && (
              <Table
                label={title}
                items={times.map((_, index) => index).reverse()}
                keyOf={String}
                empty="No values."
                columns={[
                  { title: 'Time', cell: timeAt },
                  ...series.map(({ name, values }) => ({
                    title: name,
                    cell: (index: number) => shown(values[index])
                  }))
                ]}
              />
            )}
          </details>
        </>
      )}
    </figure>
  )
}

const toneOf = ({ tone }: Series, index: number) => `tone-${tone ?? index}`

const number = lazy(() => new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 }))
