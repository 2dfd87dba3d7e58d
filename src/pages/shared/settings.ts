interface Settings {
  product: string
  /** Path of an image. */
  logo?: string | null
  /** Where to go after a sign-in. The server has checked it. */
  returnTo?: string
  /** `console` for that of an operator: see `portal console`. */
  surface?: 'console'
  /** Of the console, such as `development`. */
  environment?: string
  hasAccountPages?: boolean
  /** Whether it keeps settings of the app: on the account pages, those that users choose. */
  keepsSettings?: boolean
  /** The administrator that the first start has created, if its password is kept in a file. */
  firstAdmin?: { email: string; passwordFile: string }
}

/** What the server says about this page: see `settingsFor` in its route. */
export const settings = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name=settings]')?.content ?? '{}'
) as Settings
