/** A `warning` does not stop the portal but deserves attention. */
export interface Outcome {
  result: 'ok' | 'warning' | 'problem'
  finding: string
  todo?: string
}

export interface Finding extends Outcome {
  check: string
}

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

export const named = (check: string, outcome: Outcome): Finding => ({ check, ...outcome })
