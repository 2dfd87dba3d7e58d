/**
 * A count for people, such as `12,345`. The first number that `Intl` formats takes a slow device
 * some 20 milliseconds, in which the overview is not shown.
 */
export const grouped = (count: number) => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

/** Such as `1 session` or `12 sessions`. */
export const counted = (count: number, noun: string) =>
  `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`
