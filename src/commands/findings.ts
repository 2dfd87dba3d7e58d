/** A `warning` does not stop the portal but deserves attention. */
export interface Outcome {
  result: 'ok' | 'warning' | 'problem'
  finding: string
  todo?: string
}

export interface Finding extends Outcome {
  check: string
}

/** The outcomes of one check, some of which may name what they are about. No outcome, no line. */
export type Found = Outcome | readonly (Outcome & { check?: string })[] | undefined

export const ok = (finding: string): Outcome => ({ result: 'ok', finding })
export const warning = (finding: string, todo: string): Outcome => ({
  result: 'warning',
  finding,
  todo
})
export const problem = (finding: string, todo: string): Outcome => ({
  result: 'problem',
  finding,
  todo
})

export const findingsOf = (check: string, found: Found): Finding[] =>
  [found ?? []].flat().map((outcome) => ({ check, ...outcome }))
