interface TimedRule<Serve> {
  when: { from?: string | undefined; until?: string | undefined }
  serve: Serve
}

/** When rules of an enabled flag begin and end after a time, in this order. */
export function upcomingChanges<Serve>(
  { state, rules }: { state: string; rules: readonly TimedRule<Serve>[] },
  time: number
) {
  if (state === 'disabled') return []
  return rules
    .flatMap(({ when: { from, until }, serve }, rule) => [
      ...(from === undefined ? [] : [{ at: new Date(from), rule, change: 'begins', serve }]),
      ...(until === undefined ? [] : [{ at: new Date(until), rule, change: 'ends', serve }])
    ])
    .filter(({ at }) => at.getTime() > time)
    .sort((a, b) => a.at.getTime() - b.at.getTime())
}
