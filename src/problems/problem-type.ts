/** What all problems of one code have in common (RFC 9457). */
export interface ProblemType {
  status: number
  title: string
  /**
   * What is wrong and what to do, for the person who meets it. Apps show it alone, so it stands
   * without the title, and without anything that only developers know, such as paths and headers.
   */
  detail: string
  /** What else developers need to know, in Markdown, in docs/lookup/errors.md and /problems. */
  hint?: string
}
