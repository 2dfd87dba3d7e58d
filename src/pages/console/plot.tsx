import './plot.css'
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { grouped } from './grouped.ts'
import { Table } from './list/table.tsx'
import { More } from './parts.tsx'
import { sum, roundUp, bars } from './plot-shapes.ts'

interface Series {
  name: string
  values: number[]
  /** Where the legend leads. */
  href?: string
  /** Its colour, 0 to 4: 0 for successes, 1 for failures. By default its place in the list. */
  tone?: number
}

interface PlotProps {
  title: string
  /** When each bar begins, in milliseconds, and how that is written. */
  times: readonly number[]
  format(time: number): string
  /** At most four, each in another colour. */
  series: readonly Series[]
}

/**
 * Counts over time as stacked bars, as wide as there is room. The legend has the numbers: of the
 * time under the pointer, else the sums. All of them are in a table below.
 */
export function Plot({ title, times, format, series }: PlotProps) {
  const [pointed, setPointed] = useState<number>()
  const at = pointed !== undefined && pointed < times.length ? pointed : undefined
  const shown = ({ values }: Series) => grouped(at === undefined ? sum(values) : (values[at] ?? 0))
  const timeAt = (index: number) => times[index] !== undefined && format(times[index])
  const most = Math.max(
    ...times.map((_, index) => sum(series.map(({ values }) => values[index] ?? 0)))
  )
  const highest = roundUp(most)
  const legend = series.map((each) => `${each.name} ${shown(each)}`)
  const toneOf = ({ tone }: Series, index: number) => `tone-${tone ?? index}`
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
            <b>{shown(each)}</b>
          </li>
        ))}
      </ul>
      {most === 0 ? (
        <p class="muted">Nothing in this period.</p>
      ) : (
        <>
          <div class="axes">
            <p class="values" aria-hidden="true">
              <small>{grouped(highest)}</small>
              <small>{highest === 1 ? '' : grouped(highest / 2)}</small>
              <small>0</small>
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
                d={(highest === 1 ? [0, 100] : [0, 50, 100])
                  .map((y) => `M0 ${y}H${times.length}`)
                  .join('')}
              />
              {at !== undefined && <path class="pointed" d={`M${at} 0h1v100h-1z`} />}
              {series.map((each, index) => (
                <path
                  key={each.name}
                  class={`bars ${toneOf(each, index)}`}
                  d={bars(
                    each.values,
                    series.slice(0, index).map(({ values }) => values),
                    highest
                  )}
                />
              ))}
            </svg>
            <p class="span">
              <small>{timeAt(0)}</small>
              <small>{timeAt(times.length - 1)}</small>
            </p>
          </div>
          <More label={`${title} as a table`}>
            {() => (
              <Table
                label={title}
                items={times.map((_, index) => index).reverse()}
                keyOf={String}
                empty="No values."
                columns={[
                  { title: 'Time', cell: timeAt },
                  ...series.map(({ name, values }) => ({
                    title: name,
                    cell: (index: number) => grouped(values[index] ?? 0)
                  }))
                ]}
              />
            )}
          </More>
        </>
      )}
    </figure>
  )
}
