const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A time of the portal in the time zone and the format of the reader. */
export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={at}>
    {format.format(new Date(at))}
  </time>
)
