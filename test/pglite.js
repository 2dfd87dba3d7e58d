// The tests that `npm run test:pglite` runs: those that depend on the database engine. The rest send
// the same statements in other orders, or none.

/** Every `*.test.ts` in these folders, and these files. */
const wanted = [
  'test/db',
  'test/domain',
  // Servers, their restarts, and commands that start on an empty database or move much data.
  'test/server.slow.ts',
  'test/cli/fresh-database.slow.ts',
  'test/cli/running-server.test.ts',
  'test/cli/transfer.slow.ts',
  'test/cli/unavailable-database.test.ts',
  'test/routes/health.test.ts',
  'test/plugins/last-seen.test.ts',
  'test/plugins/sweep.test.ts',
  // Each kind of request once. Lists build their statements from filters.
  'test/routes/api/admin/activity.test.ts',
  'test/routes/api/admin/activity-summary.test.ts',
  'test/routes/api/admin/flags.test.ts',
  'test/routes/api/admin/outbox.test.ts',
  'test/routes/api/admin/overview.test.ts',
  'test/routes/api/admin/roles.test.ts',
  'test/routes/api/admin/sessions.test.ts',
  'test/routes/api/admin/users.test.ts',
  'test/routes/api/auth/login.test.ts',
  'test/routes/api/auth/logout.test.ts',
  'test/routes/api/auth/me.test.ts',
  'test/routes/api/auth/recovery.test.ts',
  'test/routes/api/auth/register.test.ts',
  'test/routes/api/user/passkeys.test.ts',
  'test/routes/api/user/settings.test.ts',
  'test/routes/api/user/totp.test.ts',
  'test/routes/ofrep/v1/evaluate.test.ts',
  // What must hold when requests cross.
  'test/security/escalation.test.ts',
  'test/security/freshness.test.ts',
  'test/security/last-administrator.test.ts',
  'test/security/lost-rights.test.ts',
  'test/security/races.test.ts',
  'test/security/throttling.test.ts'
]

/** In these folders, but about several connections, which PGlite does not have, or pure functions. */
const leftOut = [
  'test/db/postgres',
  'test/db/errors.test.ts',
  'test/db/migration-locks.test.ts',
  'test/db/portable.test.ts',
  'test/db/url.test.ts',
  'test/domain/access/custom-permissions.test.ts',
  'test/domain/access/roles.test.ts',
  'test/domain/bounded-map.test.ts',
  'test/domain/browsers.test.ts',
  'test/domain/flags/evaluation.test.ts',
  'test/domain/freshness/keep-fresh.test.ts',
  'test/domain/mail',
  'test/domain/networks.test.ts',
  'test/domain/passwords',
  'test/domain/readiness.test.ts',
  'test/domain/sealing.test.ts',
  'test/domain/sessions/signed-tokens.test.ts',
  'test/domain/throttling/gate.test.ts',
  'test/domain/throttling/write-budget.test.ts',
  'test/domain/users'
]

/**
 * The files that run on PGlite.
 * @param filesOf returns a file, or the test files of a folder, and throws when there is none
 */
export function filesOnPglite(filesOf) {
  const without = leftOut.flatMap(filesOf)
  return wanted.flatMap(filesOf).filter((file) => !without.includes(file))
}
