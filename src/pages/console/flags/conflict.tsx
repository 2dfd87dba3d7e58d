import { Dialog } from '../../shared/dialog.tsx'
import { titles, wordsOf } from './differences.ts'
import { Version } from './difference.tsx'
import { formOf } from './form.ts'
import type { Flag } from './form.ts'
import { differ, patched, patchOf } from './patch.ts'
import { flagOf } from './read-form.ts'

/**
 * Two people changed one flag: shows both versions of each part that one of them changed.
 * @param base what both began with
 */
export function Conflict({
  base,
  mine,
  theirs,
  onChoose,
  onClose
}: {
  base: Flag
  mine: Flag
  theirs: Flag
  /** The flag to continue with, unsaved; undefined for theirs. */
  onChoose(flag: Flag | undefined): void
  onClose(): void
}) {
  const before = flagOf(formOf(base)).flag
  const saved = flagOf(formOf(theirs)).flag
  const patch = patchOf(before, mine)
  const parts = (Object.keys(titles) as Exclude<keyof typeof titles, 'when'>[]).filter((part) =>
    differ(mine[part], saved[part])
  )
  return (
    <Dialog title="The flag was changed in the meantime" onClose={onClose}>
      <p>
        This flag was also saved in another tab or by another user. You can still use either
        version.
      </p>
      {parts.map((part) => (
        <section key={part} aria-label={titles[part]}>
          <h3>
            {titles[part]} {patch && part in patch ? '' : '(you did not change it)'}
          </h3>
          <div class="grid">
            <Version title="Saved version" text={wordsOf(saved, part)} />
            <Version title="Your version" text={wordsOf(mine, part)} />
          </div>
        </section>
      ))}
      <div class="actions">
        <button type="button" onClick={() => onChoose(patched(saved, patch))}>
          Put my changes on top
        </button>
        <button type="button" class="secondary outline" onClick={() => onChoose(undefined)}>
          Use the saved version
        </button>
        <button type="button" class="secondary outline" onClick={onClose}>
          Back
        </button>
      </div>
    </Dialog>
  )
}
