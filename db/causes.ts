/**
 * Why the database does not do what it was asked to. The problem document, the log, the command
 * line, `portal doctor` and the runbook take their words from here, so that they agree.
 */
export interface Cause {
  /** Its name in the log. */
  name: string
  /** SQLSTATEs, and codes of sockets, OpenSSL, postgres.js and the portal. */
  codes: RegExp
  /** The sentence of the server, where one code has several causes. */
  says?: RegExp
  /** `no`: the same request fails again. `elsewhere`: another host may answer. */
  passes: 'no' | 'yes' | 'elsewhere'
  /** Replaces the detail of `database-unavailable`. */
  users?: string
  /** Follows "The database cannot be used: ". */
  operators: string
  remedy: string
}

const noRoom =
  'The portal has no room to save changes at the moment. Confirmed changes are safe. Try again ' +
  'later.'
const busy =
  'The database of the portal is too busy at the moment. Confirmed changes are safe. Try again ' +
  'in a moment.'

/** The first that matches counts. */
export const causes: Cause[] = [
  {
    name: 'disk-full',
    codes: /^53100$/,
    passes: 'yes',
    users: noRoom,
    operators: 'its disk is full',
    remedy:
      'Free space on the disk of PostgreSQL, or enlarge it: df -h shows which one. Reads go on. ' +
      'Never delete files in its data directory.'
  },
  {
    name: 'too-many-connections',
    codes: /^53300$/,
    passes: 'yes',
    users: busy,
    operators: 'it has no connections left',
    remedy:
      'Raise max_connections or the CONNECTION LIMIT of the role and the database, or lower ' +
      'DATABASE_POOL_MAX.'
  },
  {
    name: 'pooler-full',
    codes: /^08P01$/,
    says: /max_client_conn|no more connections/,
    passes: 'yes',
    users: busy,
    operators: 'PgBouncer has no connections left',
    remedy: 'Raise max_client_conn of PgBouncer, or lower DATABASE_POOL_MAX.'
  },
  {
    name: 'out-of-memory',
    codes: /^53/,
    passes: 'yes',
    users: busy,
    operators: 'it has no memory left, or has reached another of its limits',
    remedy:
      'Lower work_mem and max_connections, or give the machine more memory. The log of ' +
      'PostgreSQL names the limit.'
  },
  {
    name: 'tls-refused',
    codes: /^TLS_REFUSED$/,
    passes: 'elsewhere',
    operators: 'it has no TLS, which sslmode asks for',
    remedy:
      'Set ssl = on and a certificate in postgresql.conf. On the same machine, sslmode=disable ' +
      'is enough.'
  },
  {
    name: 'certificate',
    codes: /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/,
    passes: 'yes',
    operators: 'its certificate is not trusted, has expired or belongs to another host',
    remedy: 'Renew it, or name the file of its private authority in NODE_EXTRA_CA_CERTS.'
  },
  {
    name: 'not-admitted',
    codes: /^28000$/,
    says: /pg_hba/,
    passes: 'yes',
    operators: 'its pg_hba.conf has no entry for this connection',
    remedy:
      'Add a line for this role, database and address to pg_hba.conf, then reload PostgreSQL. ' +
      'If its message says "no encryption", add sslmode=verify-full to DATABASE_URL first.'
  },
  {
    name: 'login',
    codes: /^28/,
    passes: 'yes',
    operators: 'it rejects the user or the password',
    remedy: 'Correct DATABASE_URL, or the password: ALTER ROLE portal PASSWORD …'
  },
  {
    name: 'no-database',
    codes: /^3D000$/,
    passes: 'yes',
    operators: 'it has no database with this name',
    remedy: 'Correct DATABASE_URL, or create the database.'
  },
  {
    name: 'parameter',
    codes: /^(42704|22023|08P01)$/,
    says: /(configuration|startup) parameter|invalid value for parameter/,
    passes: 'yes',
    operators: 'it refuses a parameter of DATABASE_URL',
    remedy:
      'Remove the parameter. Behind PgBouncer, set it on the role instead, or list it in ' +
      'ignore_startup_parameters.'
  },
  {
    name: 'not-listening',
    // ENOENT is the missing socket of a server.
    codes: /^(ECONNREFUSED|ENOENT)$/,
    passes: 'elsewhere',
    operators: 'nothing is listening there',
    remedy: 'Start PostgreSQL, or correct host and port in DATABASE_URL.'
  },
  {
    name: 'host-name',
    codes: /^(ENOTFOUND|EAI_AGAIN)$/,
    passes: 'elsewhere',
    operators: 'its host name cannot be resolved',
    remedy: 'Correct the host in DATABASE_URL, or the DNS of this machine.'
  },
  {
    name: 'starting',
    codes: /^57P0[123]$/,
    passes: 'elsewhere',
    operators: 'it is starting or stopping',
    remedy:
      'Wait. If it goes on, the log of PostgreSQL says why: a full disk or a lack of memory ends ' +
      'it as well.'
  },
  {
    name: 'epochs',
    codes: /^EPOCHS_MISSING$/,
    passes: 'yes',
    operators: 'rows of its epochs are missing',
    remedy: 'Run: portal refresh'
  },
  {
    name: 'commits-waiting',
    codes: /^COMMITS_WAITING$/,
    passes: 'yes',
    operators: 'its commits wait, probably for a synchronous standby',
    remedy: 'See the runbook about a standby that is gone.'
  },
  {
    name: 'read-only',
    codes: /^25006$/,
    passes: 'yes',
    operators: 'it is read-only: a standby, or no longer the primary',
    remedy: 'Point DATABASE_URL to the primary, or name all servers in it.'
  },
  {
    name: 'slow',
    codes: /^(DATABASE_TIMEOUT|57014|55P03)$/,
    passes: 'elsewhere',
    operators: 'it does not answer in time',
    remedy:
      'Look at the load and the disk of its machine, for locks in pg_stat_activity, and at the ' +
      'distance that portal doctor measures.'
  },
  {
    name: 'no-answer',
    codes: /^(08...|57...|CONNECT\w+|E(CONNRESET|PIPE|TIMEDOUT|(HOST|NET)UNREACH))$/,
    passes: 'elsewhere',
    operators: 'it does not answer',
    remedy: 'See whether it runs, and whether a firewall or a proxy is between.'
  },
  {
    name: 'search-path',
    codes: /^3F000$/,
    passes: 'no',
    operators: 'its search_path names no schema that exists',
    remedy: 'Run: ALTER ROLE portal RESET search_path; or remove it from DATABASE_URL.'
  },
  {
    name: 'schema',
    codes: /^(42P01|42703|42704|42883)$/,
    passes: 'no',
    operators: 'it lacks a table, a column or a function that this version uses',
    remedy:
      'Run portal migrate. If it reports that the schema is up to date, the schema was changed ' +
      'by hand: restore what was removed.'
  },
  {
    name: 'privilege',
    codes: /^42501$/,
    passes: 'no',
    operators: 'its role lacks a privilege',
    remedy: 'Run portal doctor, which prints the statements that grant what is missing.'
  }
]

/** @param sentence of the server, or of the library that spoke with it */
export const findCause = (code: string, sentence: string): Cause | undefined =>
  causes.find(({ codes, says }) => codes.test(code) && (says === undefined || says.test(sentence)))
