/** A time as `<input type="datetime-local">` has it. Undefined where it cannot. */
export function localTimeOf(text: string): string | undefined {
  const time = new Date(text)
  const year = time.getFullYear()
  if (!(year > 0 && year < 10_000)) return undefined
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [String(year).padStart(4, '0'), two(time.getMonth() + 1), two(time.getDate())]
  const hour = [time.getHours(), time.getMinutes()]
  if (time.getSeconds() > 0) hour.push(time.getSeconds()) // as browsers shorten it
  return `${day.join('-')}T${hour.map(two).join(':')}`
}

/** The time in UTC, as the portal stores it. */
export function dateTimeOf(local: string): string | undefined {
  const time = new Date(local)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
