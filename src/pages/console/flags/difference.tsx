import './difference.css'
import { counted } from '../grouped.ts'
import { More } from '../parts.tsx'
import { differencesOf, folded } from './differences.ts'

interface DifferenceProps {
  /** A state of a flag or a segment; null where it is deleted. */
  before: object | null
  after: object | null
}

/** Shows how two states differ, by part and line. */
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
      {found.map(({ title, lines, isJson }) => {
        const [first = [], more = []] = folded(lines)
        return (
          <div key={title}>
            <dt>{title}</dt>
            <dd class={isJson ? 'json' : undefined}>
              {first.map(shown)}
              {more.length > 0 && (
                <More label={counted(more.length, 'more line')}>{() => more.map(shown)}</More>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
