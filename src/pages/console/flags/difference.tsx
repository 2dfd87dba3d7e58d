import './difference.css'
import { differencesOf } from './differences.ts'

interface DifferenceProps {
  /** States of a flag; null where it is deleted. */
  before: object | null
  after: object | null
}

/** What differs between two states, by part and line. */
export function Difference({ before, after }: DifferenceProps) {
  const found = differencesOf(before, after)
  if (found.length === 0) return <p>Nothing differs.</p>
  return (
    <dl class="difference">
      {found.map(({ title, lines, ...texts }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>
            {lines ? (
              lines.map((line, n) => {
                const Line = line.startsWith('+') ? 'ins' : line.startsWith('-') ? 'del' : 'span'
                return <Line key={n}>{line}</Line>
              })
            ) : (
              <div class="grid">
                <Version title="Before" text={texts.before} />
                <Version title="After" text={texts.after} />
              </div>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export const Version = ({ title, text }: { title: string; text: string }) => (
  <div>
    <strong>{title}</strong>
    <pre class="version" tabIndex={0}>
      {text}
    </pre>
  </div>
)
