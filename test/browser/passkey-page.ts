import type { Page } from 'playwright-core'

// Uses of the examples of docs/passkeys.md in a page.

interface Result<T> {
  value?: T
  error?: string
}

/** The result of an expression with the functions of the examples, or how it failed. */
export const run = <T = { user: { id: string }; session: { assurance: number } }>(
  page: Page,
  expression: string
) =>
  page.evaluate<Result<T>>(`Promise.all([
    import('/portal.js'), import('/passkeys.js'), import('/accepted.js')
  ]).then(([{ post, send }, { addPasskey, isSupported, offerPasskeys, proveAgain, signIn }, { tellDevice }]) => ${expression}).then(
    (value) => ({ value }),
    (error) => ({ error: typeof error.code === 'string' ? error.code : error.name })
  )`)

/**
 * Begins a ceremony, and resolves when the browser has. Its result becomes a variable of the page:
 * the id of the user, or the name of the error.
 */
export const begin = (page: Page, variable: string, expression: string) =>
  page.evaluate(`import('/passkeys.js').then(({ offerPasskeys, proveAgain, signIn }) =>
    new Promise((resolve) => {
      const { get } = CredentialsContainer.prototype
      navigator.credentials.get = (options) => {
        delete navigator.credentials.get
        setTimeout(resolve)
        return get.call(navigator.credentials, options)
      }
      window.${variable} = ${expression}.then(({ user }) => user?.id, ({ name }) => name)
    })
  )`)
