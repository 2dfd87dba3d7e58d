import type { Schemas } from '../../shared/client.ts'

export interface UserProps {
  user: Schemas['User']
}

const most = 40

/** A name for a sentence or a button, where a long one would hide the rest. */
export function shortName({ name }: { name: string }): string {
  const characters = [...name]
  return characters.length > most
    ? `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
    : name
}
