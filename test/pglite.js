/**
 * Test files that PGlite does not run. They hold what does not depend on the database engine, and
 * run on PostgreSQL. Everything else runs on both, also where it is unlikely to differ: all of
 * test/db and test/routes, and of the rest whatever reads or writes something of interest.
 */
export const leftOut = [
  // Pure functions, configuration, the source itself.
  'test/addresses.test.ts',
  'test/architecture.test.ts',
  'test/config.test.ts',
  'test/contract.test.ts',
  'test/development-files.test.ts',
  'test/env-file.test.ts',
  'test/field-errors.test.ts',
  'test/domain/bulkhead.test.ts',
  'test/domain/emails.test.ts',
  'test/domain/evaluation.test.ts',
  'test/domain/freshness.test.ts',
  'test/domain/guessable.test.ts',
  'test/domain/hashing.test.ts',
  'test/domain/networks.test.ts',
  'test/security/patterns.test.ts',
  // HTTP, cookies, tokens, headers, logs.
  'test/logging.test.ts',
  'test/tracing.test.ts',
  'test/openapi/documents.test.ts',
  'test/plugins/dependencies.test.ts',
  'test/plugins/jwt.test.ts',
  'test/plugins/limits.test.ts',
  'test/plugins/metrics.test.ts',
  'test/resilience/shutdown.test.ts',
  'test/security/admin-in-production.test.ts',
  'test/security/bodies.test.ts',
  'test/security/cookies.test.ts',
  'test/security/cross-site.test.ts',
  'test/security/overload.test.ts',
  'test/security/paths.test.ts',
  'test/security/raw-http.test.ts',
  'test/security/slow-connections.test.ts',
  'test/security/tokens.test.ts',
  // The command line. What differs on PGlite is in test/cli/server.test.ts, bulk SQL in transfer.
  'test/cli/canary.test.ts',
  'test/cli/commands.test.ts',
  'test/cli/errors.test.ts',
  'test/cli/help.test.ts',
  'test/cli/process.test.ts',
  'test/cli/table.test.ts',
  'test/cli/unbuilt.test.ts'
]
