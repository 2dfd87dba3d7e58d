/** An export of another system, and what an import makes of it. */
export interface Export {
  from: string
  name?: string
  content: string | Buffer
  /** Address, name, status, whether it is confirmed, time, whether there is a password, providers. */
  users: string[]
  said: (string | RegExp)[]
}

export const bcrypt = `$2a$10$${'a'.repeat(53)}`

export const argon2 = `$argon2id$v=19$m=4096,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$jt+ObafphpJ5cw7IMbuyn2ptmpxlPzSMKtlj4qJunsw`

export const lines = (...values: unknown[]) =>
  values.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n')
export const latin = (text: string) => Buffer.from(text, 'latin1')
