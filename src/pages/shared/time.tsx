import { formatAgo, formatIn, formatTime, unbroken } from './time-format.ts'

/** A time of the portal in the time zone and the format of the reader. */
export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={at}>
    {formatTime(at)}
  </time>
)

const exact = formatIn({ dateStyle: 'full', timeStyle: 'long' })

const day = formatIn({ dateStyle: 'medium' })

const long = formatIn({ dateStyle: 'full' })

/** The day of a time, for the reader. */
export const formatDay = (at: string) => long().format(new Date(at))

export const Exact = ({ at }: { at: string }) => (
  <time dateTime={at}>{exact().format(new Date(at))}</time>
)

const clock = formatIn({ timeStyle: 'short' })

/** A time below the name of its day. */
export const Clock = ({ at }: { at: string }) => (
  <time dateTime={at} title={exact().format(new Date(at))}>
    {unbroken(clock().format(new Date(at)))}
  </time>
)

/** A time as people say it, or its date, with the exact one as its title. */
export const Ago = ({ at }: { at: string }) => (
  <time dateTime={at} title={exact().format(new Date(at))}>
    {formatAgo(at) ?? day().format(new Date(at))}
  </time>
)
