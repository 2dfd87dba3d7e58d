/**
 * How many times longer each limit of time is. Tests raise it, except those about a limit: what a
 * busy machine does late is not a fault.
 */
export const slack = { factor: 1 }

/** Milliseconds of a limit. */
export const withSlack = (ms: number) => ms * slack.factor
