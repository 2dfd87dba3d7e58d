// Parts of a request that most routes pass on to the domain.

interface Conditional<Params> {
  params: Params
  ifMatchRevisions(): string[] | undefined
}

/** The filters of a list, and the page that is asked for. */
export const windowOf = <Query extends object>(request: {
  query: Query
  cursorPosition(): unknown[] | undefined
}) => ({ ...request.query, after: request.cursorPosition() })

/** Which thing is meant, and the revisions that it may have. */
export const whichOf = <Params extends object>(request: Conditional<Params>) => ({
  ...request.params,
  expected: request.ifMatchRevisions()
})

/** Which thing is meant, and the fields to change. */
export const changesOf = <Params extends object, Body>(
  request: Conditional<Params> & { body: Body }
) => ({ ...whichOf(request), changes: request.body })
