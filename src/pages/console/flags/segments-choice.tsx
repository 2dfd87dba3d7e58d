import { ok, portal } from '../../shared/client.ts'
import { Check } from '../../shared/controls.tsx'
import { useLoaded } from '../../shared/load.tsx'
import { firstOf } from './revisions.ts'

interface SegmentsChoiceProps {
  place: string
  /** Keys of segments. */
  chosen: readonly string[]
  mistake: string | undefined
  onChange(chosen: string[]): void
}

/** A choice of segments. Without any, there is nothing to choose from. */
export function SegmentsChoice({ place, chosen, mistake, onChange }: SegmentsChoiceProps) {
  const { value: keys = [] } = useLoaded(['/api/admin/segments', 'keys'], async (signal) => {
    const segments = await firstOf(200, (query) =>
      ok(portal.GET('/api/admin/segments', { params: { query }, signal }))
    )
    return segments.map(({ key }) => key)
  })
  const all = [...new Set([...keys, ...chosen])].sort()
  if (all.length === 0) return null
  return (
    <fieldset id={place} tabIndex={-1}>
      <legend>Segments</legend>
      <div class="choices">
        {all.map((key) => (
          <Check
            key={key}
            label={key}
            name={place}
            checked={chosen.includes(key)}
            onValue={(isChosen) =>
              onChange(isChosen ? [...chosen, key] : chosen.filter((each) => each !== key))
            }
          />
        ))}
      </div>
      <small class="mistake">{mistake}</small>
    </fieldset>
  )
}
