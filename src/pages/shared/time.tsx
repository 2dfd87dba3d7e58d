const format = new Intl.DateTimeFormat([...navigator.languages], {
  dateStyle: 'medium',
  timeStyle: 'short'
})

/** @param at ISO 8601 */
export const formatTime = (at: string) => format.format(new Date(at))

/** A time of the portal in the time zone and the format of the reader. */
export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={at}>
    {formatTime(at)}
  </time>
)
