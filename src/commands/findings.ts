/** A `warning` does not stop the portal but deserves attention. */
export interface Finding {
  check: string
  result: 'ok' | 'warning' | 'problem'
  finding: string
  todo?: string
}

export const ok = (check: string, finding: string): Finding => ({ check, result: 'ok', finding })
export const warning = (check: string, finding: string, todo: string): Finding => ({
  check,
  result: 'warning',
  finding,
  todo
})
export const problem = (check: string, finding: string, todo: string): Finding => ({
  check,
  result: 'problem',
  finding,
  todo
})
