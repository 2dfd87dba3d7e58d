/** Milliseconds. */
export interface Times {
  /** Without a request of the operator. */
  idle: number
  longest: number
}

export type Life = ReturnType<typeof createLife>

/** How long a console lives: the first reason to end it counts. */
export function createLife({ idle, longest }: Times) {
  let end: (reason: string) => void = () => {}
  const ended = new Promise<string>((resolve) => {
    end = resolve
  })
  const begin = () => setTimeout(() => end(`no request for ${duration(idle)}`), idle)
  let quiet = begin()
  const limit = setTimeout(() => end(`it has run for ${duration(longest)}`), longest)
  void ended.then(() => {
    clearTimeout(quiet)
    clearTimeout(limit)
  })
  return {
    ended,
    end,
    seen() {
      clearTimeout(quiet)
      quiet = begin()
    }
  }
}

function duration(milliseconds: number) {
  const minutes = Math.round(milliseconds / 60_000)
  if (minutes % 60 === 0 && minutes > 60) return `${minutes / 60} hours`
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}
