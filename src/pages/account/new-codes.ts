import { signal } from '@preact/signals'

/**
 * Recovery codes that the user has not stored yet. They are here and not in a view, so that another
 * address does not remove them: the portal does not show them again.
 */
export const newCodes = signal<string[] | undefined>(undefined)

/** Resolves the open dialog that asks whether to leave the codes. */
export const leaving = signal<((may: boolean) => void) | undefined>(undefined)

/** Asks the user if there are codes to lose. Leaving drops them. */
export async function mayLeave(): Promise<boolean> {
  if (!newCodes.value) return true
  leaving.value?.(false)
  const may = await new Promise<boolean>((resolve) => {
    leaving.value = resolve
  })
  leaving.value = undefined
  if (may) dropCodes()
  return may
}

export function dropCodes() {
  newCodes.value = undefined
}
