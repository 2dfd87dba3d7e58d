interface Settings {
  product: string
  /** Path of an image. */
  logo?: string | null
  /** Where to go after a sign-in. The server has checked it. */
  returnTo?: string
}

/** What the server says about this page: see `settingsFor` in `routes/account.ts`. */
export const settings = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name=settings]')?.content ?? '{}'
) as Settings
