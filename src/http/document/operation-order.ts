/** Paths in the order in which a person needs them. */
export const orderedPaths = [
  '/api/auth/options',
  '/api/auth/register',
  '/api/auth/confirm',
  '/api/auth/login',
  '/api/auth/login/verify',
  '/api/auth/passkey/options',
  '/api/auth/passkey',
  '/api/auth/recovery',
  '/api/auth/recovery/confirm',
  '/api/auth/email/revert',
  '/api/auth/factors/revert',
  '/api/auth/session',
  '/api/auth/me',
  '/api/auth/check',
  '/api/auth/reauthenticate/options',
  '/api/auth/reauthenticate',
  '/api/auth/logout',
  '/api/user/profile',
  '/api/user/name',
  '/api/user/theme',
  '/api/user/activity',
  '/api/user/sessions',
  '/api/user/sessions/{id}',
  '/api/user/email',
  '/api/user/email/verification',
  '/api/user/email/confirm',
  '/api/user/security',
  '/api/user/security/enrolment',
  '/api/user/totp',
  '/api/user/totp/confirm',
  '/api/user/passkeys/options',
  '/api/user/passkeys',
  '/api/user/passkeys/{id}',
  '/api/user/recovery-codes',
  '/api/user/second-factor',
  '/api/user/password',
  '/api/user/deletion',
  '/api/admin/flags',
  '/api/admin/flags/evaluate',
  '/ofrep/v1/evaluate/flags',
  '/ofrep/v1/evaluate/flags/{key}',
  '/api/admin/flags/{key}'
]

/** Those paths, then the others by name, so that a list comes before its items. */
export function inOrder<T>(paths: Record<string, T>): Record<string, T> {
  const known = new Map(orderedPaths.map((path, n) => [path, n]))
  const rank = (path: string) => known.get(path) ?? orderedPaths.length
  return Object.fromEntries(
    Object.entries(paths).sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
  )
}
