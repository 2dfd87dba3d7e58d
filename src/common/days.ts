/** Days before its end from which on an API key counts as about to expire. */
export const expirySoon = 14

/** Whether the calendar has this day, `2026-01-31`: Date takes 30 February for a day in March. */
export function isDay(day: string): boolean {
  const time = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day)
}
