import { Dialog } from '../../shared/dialog.tsx'
import { Difference } from './difference.tsx'
import { formOf } from './form.ts'
import type { Flag } from './form.ts'
import { patched, patchOf } from './patch.ts'
import { flagOf } from './read-form.ts'

/**
 * Two people changed one flag: shows what each of them changed.
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
  return (
    <Dialog title="The flag was changed in the meantime" onClose={onClose}>
      <p>
        This flag was also saved in another tab or by another user. You can still use either
        version.
      </p>
      <h3>Saved meanwhile</h3>
      <Difference before={before} after={saved} />
      <h3>Your changes</h3>
      <Difference before={before} after={mine} />
      <div class="actions">
        <button type="button" onClick={() => onChoose(patched(saved, patchOf(before, mine)))}>
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
