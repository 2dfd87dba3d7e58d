import { randomUUID } from 'node:crypto'

/** The body that creates a flag, besides its key: on or off, and off without rules. */
export const onOrOff = {
  type: 'boolean' as const,
  variants: { on: true, off: false },
  defaultVariant: 'off',
  offVariant: 'off'
}

/** A request that creates such a flag, with these changes. */
export const aFlag = (changes: object = {}) => ({
  key: `flag-${randomUUID()}`,
  ...onOrOff,
  ...changes
})
