import type { Page } from 'playwright-core'

// Uses of the examples of docs/do/passkeys.md in a page.

interface Result<T> {
  value?: T
  error?: string
}
interface SignedIn {
  user: { id: string }
  session: { assurance: number }
}
/** The functions of the examples. They return how they failed, which would not leave the page. */
export interface Examples {
  post<T = SignedIn>(path: string, body?: object): Promise<Result<T>>
  send<T = SignedIn>(method: string, path: string): Promise<Result<T>>
  addPasskey(passkey?: { name: string }): Promise<Result<{ id: string; name: string }>>
  isSupported(): Promise<Result<boolean>>
  offerPasskeys(renewAfter?: number): Promise<Result<SignedIn>>
  proveAgain(): Promise<Result<SignedIn>>
  signIn(): Promise<Result<SignedIn>>
  tellDevice(user: { id: string }, removed: object): Promise<Result<void>>
}

const examplesOf = (page: Page) =>
  page.evaluateHandle(
    async (files) => {
      const modules: object[] = await Promise.all(files.map((file) => import(file)))
      const settled =
        (call: (...args: unknown[]) => unknown) =>
        async (...args: unknown[]) => {
          try {
            return { value: await call(...args) }
          } catch (error) {
            const { code, name } = error as { code: unknown; name: string }
            return { error: typeof code === 'string' ? code : name }
          }
        }
      const all = modules.flatMap((module) => Object.entries(module))
      return Object.fromEntries(
        all.map(([name, each]) => [name, typeof each === 'function' ? settled(each) : each])
      ) as unknown as Examples
    },
    ['/portal.js', '/passkeys.js', '/accepted.js']
  )

/** Uses the examples in a page. */
export async function run<R, A>(page: Page, use: (examples: Examples, arg: A) => R, arg?: A) {
  const examples = await examplesOf(page)
  return examples.evaluate(use as (examples: Examples, arg: unknown) => R, arg as unknown)
}

/** Begins a ceremony, and resolves when the browser has: with a promise of its result. */
export async function begin(page: Page, use: (examples: Examples) => Promise<Result<SignedIn>>) {
  const begun = await page.evaluateHandle(() => {
    const { get } = CredentialsContainer.prototype
    return {
      isAsked: new Promise<void>((resolve) => {
        navigator.credentials.get = (options) => {
          Reflect.deleteProperty(navigator.credentials, 'get')
          setTimeout(resolve)
          return get.call(navigator.credentials, options)
        }
      })
    }
  })
  const result = run(page, use)
  await begun.evaluate(({ isAsked }) => isAsked)
  return { result }
}
