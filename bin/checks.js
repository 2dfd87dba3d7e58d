/**
 * The long checks of `npm run check -- NAME`: what each shows, what it needs besides the packages,
 * about how many minutes it takes on two cores, and its command. `{}` in `env` keeps what is set.
 * A command that begins with a file of .build is compiled first.
 * @type {Record<string, { what: string, needs?: string, minutes: number, run: string[],
 *   env?: Record<string, string> }>}
 */
export const checks = {
  browser: {
    what:
      'Every page in Chromium: the console and the account pages with axe, the reference page, ' +
      'mail and links, passkeys, examples/app in development and in production, and the apps of ' +
      'docs/start. Includes other-browsers',
    needs: 'root once, for Chromium, nginx, Firefox and WebKitGTK from Debian; downloads packages',
    minutes: 20,
    run: ['test/run.js', '--suffix', '.browser.ts', '--timeout', '1800']
  },
  'other-browsers': {
    what:
      'Firefox and WebKitGTK walk through providers of other sites: sign-in, a posted response, a ' +
      'second factor, two tabs, a link. The session is there at once, and every cookie is strict. ' +
      'The package portal-client keeps two tabs in step, on a slow and a lost network as well',
    needs: 'root once, for firefox-esr, webkit2gtk-driver and xvfb from Debian',
    minutes: 5,
    run: [
      'test/run.js',
      'test/browser/other-browsers.browser.ts',
      'test/browser/client-others.browser.ts'
    ]
  },
  document: {
    what:
      'Clients that openapi-typescript, hey-api and orval generate from the API document compile and ' +
      'do the main job; Redocly and Spectral accept the document',
    needs: 'downloads packages',
    minutes: 1,
    run: ['test/run.js', '--suffix', '.document.ts']
  },
  formats: {
    what:
      'Every Mermaid diagram of the documents can be drawn, deploy/kubernetes is rendered and agrees ' +
      'with the schemas and types of the API of Kubernetes, and the dashboard with those of Grafana',
    needs: 'downloads packages, also kubernetes-client from Debian, which it unpacks',
    minutes: 2,
    // One after the other: both use the packages that the first one installs.
    run: ['test/run.js', '--suffix', '.formats.ts', '--jobs', '1']
  },
  site: {
    what:
      'The documents become a site (site/), every link of it leads somewhere, and Chromium searches ' +
      'it from a folder without a server',
    needs: 'root once, for Chromium from Debian; downloads packages',
    minutes: 2,
    run: ['test/run.js', '--timeout', '600', 'test/browser/site.browser.ts']
  },
  proxies: {
    what:
      'The files of deploy/ before two instances and a service: forged headers, other sites, ' +
      'ambiguous paths, a failing portal, sessions that end under load (PROXY_ROUNDS), an ' +
      'instance that ends, session affinity. Then the tunnel of OpenSSH to portal console',
    needs: 'root, for nginx, HAProxy, Caddy and OpenSSH from Debian',
    minutes: 8,
    run: ['test/run.js', '--suffix', '.proxy.ts', '--timeout', '1800', '--jobs', '1']
  },
  freshness: {
    what:
      '10,000 changes: one server confirms each, another one is asked right after it; 10,000 ' +
      'random ones for API keys. Then a ' +
      'model of reads and changes in 10,000 random orders',
    minutes: 4,
    env: { FRESHNESS_ROUNDS: '10000' },
    run: [
      'test/run.js',
      '--timeout',
      '1200',
      'test/security/two-servers.slow.ts',
      'test/security/key-rights.test.ts',
      'test/domain/freshness/model.test.ts'
    ]
  },
  resilience: {
    what:
      'Instances and databases are killed, stopped and restarted under load, a standby is ' +
      'promoted, a disk is full, a mail server hangs: no confirmed change and no mail is lost. The ' +
      'backup of docs/do/back-up.md is restored. Includes migrations, upgrade, outbox, standby, ' +
      'oathtool, the alerts and the dashboard in Prometheus, and partman',
    needs: 'root, for HAProxy, PgBouncer, PostgreSQL and Prometheus from Debian',
    minutes: 30,
    run: ['test/run.js', '--suffix', '.check.ts', '--timeout', '1800', '--jobs', '1', '--alone']
  },
  migrations: {
    what:
      'Instances serve requests while made-up migrations of the next version run, or those of a ' +
      'folder (MIGRATION_USERS, MIGRATIONS=FOLDER)',
    minutes: 2,
    run: ['test/run.js', '--timeout', '3600', 'test/resilience/migrations.check.ts']
  },
  upgrade: {
    what:
      'Two instances of the previous version are replaced by this one under load, and back: no ' +
      'request fails, users, sessions and factors stay, and waiting mail arrives once ' +
      '(UPGRADE_FROM=COMMIT). An app on the first build that has apps keeps running on this one',
    needs: 'the package registry, if that version has other packages',
    minutes: 5,
    run: [
      ...['test/run.js', '--timeout', '1800', '--jobs', '1'],
      ...['test/upgrade/upgrade.check.ts', 'test/upgrade/app.check.ts']
    ]
  },
  outbox: {
    what: '2,000 mails arrive while three instances are killed fifty times',
    minutes: 5,
    run: ['test/run.js', '--timeout', '900', 'test/resilience/outbox.check.ts']
  },
  webhooks: {
    what:
      '10,000 events (EVENTS) reach a receiver while two instances are killed in each phase of a ' +
      'delivery (KILLS, 12) and the database fails over: each at least once, none is lost, and ' +
      'each is signed. A verifier in Python accepts signatures, and no changed message',
    needs: 'python3 from Debian',
    minutes: 4,
    run: [
      ...['test/run.js', '--timeout', '900'],
      ...['test/domain/webhooks/python.check.ts', 'test/resilience/webhooks.check.ts']
    ]
  },
  standby: {
    what:
      'The synchronous standby is gone while 74 users change something at four instances ' +
      '(STANDBY_SECONDS, 60): reads go on, connections are bounded, changes succeed again',
    minutes: 2,
    run: ['test/run.js', '--timeout', '3600', 'test/resilience/standby.check.ts']
  },
  partman: {
    what:
      'The recipe of docs/do/partition.md moves 300,000 records (PARTMAN_RECORDS) into months of ' +
      'pg_partman while users write, from one table and from one that an earlier version has ' +
      'partitioned; old months are dropped',
    needs: 'postgresql-NN-partman from Debian, which it unpacks without root',
    minutes: 3,
    run: ['test/run.js', '--timeout', '3600', 'test/resilience/partman.check.ts']
  },
  cluster: {
    what:
      'Three PostgreSQL servers with Patroni, etcd and HAProxy: the primary is killed, switched ' +
      'over and cut off under load (--rounds N)',
    needs: 'Debian packages, which it unpacks without root',
    minutes: 7,
    run: ['.build/test/cluster/cluster.js']
  },
  'way-back': {
    what:
      'An owner and a stranger or thief do what they can to an account, its factors, keys and ' +
      'provider accounts, in 10,000 random orders in each mode of EMAIL_VERIFICATION ' +
      '(WAY_BACK_ORDERS): after the documented way back, nothing of the other person works',
    minutes: 150,
    env: { WAY_BACK_ORDERS: '10000' },
    run: ['test/run.js', '--timeout', '14400', 'test/security/way-back-orders.slow.ts']
  },
  flood: {
    what:
      'A thief with a copied session and a copied key floods for a minute: the owner ends them and ' +
      'changes the password at the first or second try, fifty times of fifty',
    minutes: 2,
    run: ['test/run.js', '--timeout', '600', 'test/security/flooded-owner.check.ts']
  },
  'sign-up-flood': {
    what:
      'Somebody registers 300 strangers from 300 sources, without and with solved challenges: at most ' +
      '40 and 160 mails in the hour, while 200 people sign up with the client and 200 in Chromium, ' +
      'each within two seconds; doctor and metrics say so',
    needs: 'root once, for Chromium from Debian',
    minutes: 8,
    run: ['test/run.js', '--timeout', '1200', 'test/client/sign-up-flood.check.ts']
  },
  nodes: {
    what:
      'The tests on Node 22.18, 22, 24 and 26, or on those that are named (22 26.1.0); then a ' +
      'portal in production on each, with its memory while 50,000 sessions are in use',
    needs: 'the package registry, 1 GB of disk',
    minutes: 25,
    run: ['.build/test/nodes/run.js']
  },
  package: {
    what:
      'The package of npm run release, installed into an empty folder: it has the versions that were ' +
      'tested, serves in development, and names what it lacks in production. A new app of it is served ' +
      'and tested on Node 22.18, 24 and 26, and compiled with TypeScript 5.4, 5.9 and 7',
    needs: 'the package registry',
    minutes: 8,
    run: [
      ...['test/run.js', '--timeout', '1800', '--jobs', '1'],
      ...['test/package/install.check.ts', 'test/package/app.check.ts']
    ]
  },
  plugins: {
    what:
      '@fastify/static, @fastify/websocket and @fastify/multipart in an app on the portal, as their ' +
      'authors document them: policies, limits, cross-site WebSockets, uploads, a single-page app',
    needs: 'downloads packages',
    minutes: 1,
    run: ['test/run.js', 'test/fastify-plugins/plugins.check.ts']
  },
  isolation: {
    what: 'The tests at the isolation levels serializable and repeatable read',
    minutes: 8,
    run: ['.build/test/resilience/isolation.js']
  },
  pooler: {
    what:
      'The tests of the routes and the domain, and 1,000 removals of roles in scopes, through ' +
      'PgBouncer in transaction mode',
    needs: 'root, for PgBouncer from Debian',
    minutes: 5,
    run: ['.build/test/resilience/pooler.js']
  },
  engine: {
    what:
      'Another PostgreSQL, or a database that speaks its protocol: migrations, tests, races and ' +
      'the plan of each statement (URL, --rounds N)',
    needs: 'the URL of a server',
    minutes: 5,
    run: ['.build/test/engine/run.js']
  },
  oathtool: {
    what: 'A second implementation of RFC 6238 computes the same codes',
    needs: 'root, for oathtool from Debian',
    minutes: 1,
    run: ['test/run.js', 'test/security/oathtool.check.ts']
  },
  deletions: {
    what: '10,000 accounts whose planned deletion is due at once are deleted in one run',
    minutes: 3,
    env: { PLANNED_DELETIONS: '10000' },
    run: ['test/run.js', 'test/domain/jobs/many-planned-deletions.test.ts']
  },
  imports: {
    what:
      'Libraries of Python hash passwords as other systems do, and the portal verifies them. An ' +
      'import of 100,000 lines is interrupted and repeated, in bounded memory',
    needs: 'root once, for python3-passlib, -django, -argon2 and -cryptography from Debian',
    minutes: 3,
    run: [
      'test/run.js',
      'test/domain/passwords/foreign-hashes.check.ts',
      'test/cli/large-import.check.ts',
      'test/security/costly-logins.check.ts'
    ]
  },
  fuzz: {
    what: '20,000 random requests from the API document get only responses that it declares',
    minutes: 10,
    env: { FUZZ_REQUESTS: '20000' },
    run: ['test/run.js', '--timeout', '1200', 'test/openapi/fuzz.slow.ts']
  },
  sqlmap: {
    what: 'sqlmap against login, registration and the filters of lists',
    needs: 'sqlmap from Debian',
    minutes: 20,
    run: ['.build/test/security/sqlmap.js']
  },
  'login-timing': {
    what: 'The time of a failed login does not reveal what was wrong',
    needs: 'a quiet machine',
    minutes: 20,
    run: ['bench/login-timing.ts']
  },
  'mail-timing': {
    what: 'The time of a request for mail does not reveal who has an account',
    needs: 'a quiet machine',
    minutes: 5,
    run: ['bench/mail-timing.ts']
  },
  lists: {
    what: 'Every list, order and filter among a million users stays below 50 ms in the database',
    minutes: 6,
    run: ['bench/lists.ts']
  },
  updates: {
    what: 'Sign-ins and uses of sessions update their rows in place',
    minutes: 1,
    run: ['bench/updates.ts']
  },
  ends: {
    what:
      'A role with two million members and two million dead sessions are deleted while requests ' +
      'take at most twice as long (ENDS_SNAPSHOT=1)',
    needs: '`npm run build` before, 4 GB of disk',
    minutes: 10,
    run: ['bench/ends.ts']
  },
  coverage: {
    what: 'Which lines the tests run',
    minutes: 4,
    run: ['test/run.js', '--coverage']
  },
  challenges: {
    what: 'How long challenges take by their difficulty, in Node and in a slowed Chromium',
    needs: 'an idle machine, and root once, for Chromium from Debian',
    minutes: 2,
    run: ['bench/challenges.ts']
  },
  costs: {
    what:
      'Measures what each event costs PostgreSQL, and replaces bench/results/costs.json ' +
      '([users] [events])',
    needs: 'Linux',
    minutes: 6,
    run: ['bench/costs.ts']
  },
  walk: {
    what:
      'The files that a request enters, in the order of first visits, with the lines that ran ' +
      '(FLOW, --json); without a flow, their names',
    minutes: 1,
    run: ['.build/test/walk/walk.js']
  },
  simulate: {
    what: 'Computes the load of a portal of a given size from these costs (--help)',
    minutes: 1,
    run: ['bench/simulate.ts']
  }
}

/**
 * When to run which check, in the order of the list.
 * @type {Record<string, string[]>}
 */
export const groups = {
  'Before a release': ['package', 'upgrade', 'isolation'],
  'When the API or its document changes': ['document', 'plugins', 'fuzz', 'sqlmap'],
  'When pages, the client or documents change': ['browser', 'other-browsers', 'site', 'formats'],
  'When sign-in or a way back to an account changes': [
    ...['way-back', 'flood', 'sign-up-flood', 'oathtool', 'login-timing', 'mail-timing']
  ],
  'When sessions, permissions or caches change': ['freshness'],
  'When the schema, a query or a large job changes': [
    ...['migrations', 'lists', 'updates', 'deletions', 'ends', 'imports', 'partman']
  ],
  'When connections, transactions or mail change': [
    ...['resilience', 'outbox', 'webhooks', 'standby', 'pooler', 'cluster', 'engine']
  ],
  'When a proxy or the versions of Node change': ['proxies', 'nodes'],
  'To measure': ['challenges', 'coverage', 'costs', 'simulate', 'walk']
}
