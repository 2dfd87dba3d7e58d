/** The fields that all problems of one code have in common (RFC 9457). */
export interface ProblemType {
  status: number
  title: string
  /**
   * Tells the person who meets it what is wrong and what to do. Apps show it alone, so it stands
   * without the title, and without anything that only developers know, such as paths and headers.
   */
  detail: string
  /** Further notes for developers, in Markdown, in docs/lookup/errors.md and /problems. */
  hint?: string
}
