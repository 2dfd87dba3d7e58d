import type { Config } from '../../config/config.ts'

/**
 * Where the account pages lead after a sign-in: to the address in `?return=` if it belongs to the
 * portal's origin or to that of an app, else to APP_URL. Otherwise a link to the sign-in page could
 * lead to any other site (CWE-601).
 */
export function returnTarget(
  given: unknown,
  {
    PUBLIC_ORIGIN,
    CORS_ORIGINS,
    APP_URL = `${PUBLIC_ORIGIN}/`
  }: Pick<Config, 'PUBLIC_ORIGIN' | 'CORS_ORIGINS' | 'APP_URL'>
): string {
  if (typeof given !== 'string' || !URL.canParse(given, PUBLIC_ORIGIN)) return APP_URL
  const { origin, protocol, username, password, href } = new URL(given, PUBLIC_ORIGIN)
  const isOurs =
    [PUBLIC_ORIGIN, ...CORS_ORIGINS].includes(origin) &&
    /^https?:$/.test(protocol) && // not blob:, which has the origin of its creator
    username === '' &&
    password === ''
  return isOurs ? href : APP_URL
}
