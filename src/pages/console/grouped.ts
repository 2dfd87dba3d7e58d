/**
 * A count for people, such as `12,345`. The first number that `Intl` formats takes a slow device
 * some 20 milliseconds, in which the overview is not shown.
 */
export function grouped(count: number): string {
  const rest = String(count % 1000)
  return count < 1000 ? rest : `${grouped(Math.floor(count / 1000))},${rest.padStart(3, '0')}`
}

/** Such as `1 session` or `12 sessions`. */
export const counted = (count: number, noun: string) =>
  `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`
