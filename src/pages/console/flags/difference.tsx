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
  const shown = (line: string, n: number) => {
    if (!before) return <span key={n}>{line}</span>
    const Line = line.startsWith('+') ? 'ins' : line.startsWith('-') ? 'del' : 'span'
    // The sign stays with its text, also where that is one long word. A hyphen would not.
    return <Line key={n}>{line.replace(/^- /, '− ').replace(' ', '\u00a0')}</Line>
  }
  return (
    <dl class="difference">
      {found.map(({ title, words, json }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>
            {words.map(shown)}
            {json.length > 0 && <div class="json">{json.map(shown)}</div>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
