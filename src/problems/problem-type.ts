/** What all problems of one code have in common (RFC 9457). */
export interface ProblemType {
  status: number
  /** What is wrong, in a few words. */
  title: string
  /** What is wrong and what to do. */
  detail: string
}
