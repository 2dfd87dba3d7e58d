import js from '@eslint/js'
import tseslint from 'typescript-eslint'

const pages = ['src/{pages,client}/**/*.{ts,tsx}']
const portal = ['src/**/*.{ts,tsx}', 'plugins/**/*.ts', 'routes/**/*.ts', 'db/**/*.ts']
const builtin = (...names) => names.flatMap((name) => [name, `node:${name}`])
const noProcesses = {
  group: builtin('child_process', 'vm', 'worker_threads'),
  message: 'The portal starts no other programs and compiles no code.'
}
const noCrypto = {
  group: builtin('crypto'),
  message:
    'Only src/domain/crypto.ts may import node:crypto, and foreign-comparison.js, which runs in threads.'
}

/** Clients of the network, as values: types and servers are allowed. */
const connections = {
  net: ['connect', 'createConnection', 'Socket', 'Stream', 'default'],
  tls: ['connect', 'TLSSocket', 'default'],
  http: ['request', 'get', 'Agent', 'ClientRequest', 'createServer', 'STATUS_CODES', 'default'],
  https: ['request', 'get', 'Agent', 'default'],
  http2: ['connect', 'default'],
  dgram: undefined,
  nodemailer: undefined
}
const outbound =
  'Outbound connections are opened in db/postgres/connection.ts, src/domain/mail/transport.ts and ' +
  'src/outbound. Servers are created with src/http/node-http.ts.'
const noConnections = Object.entries(connections).map(([name, importNames]) => ({
  regex: `^(?:node:)?${name}(?:/|$)`, // a group also matches a folder of this name
  ...(importNames && { importNames }),
  message: outbound,
  allowTypeImports: true
}))

const everywhere = [
  {
    selector: 'MemberExpression[object.name="sql"][property.name="raw"]',
    message: 'SQL takes values as parameters only.'
  },
  {
    selector: 'MemberExpression[object.name="Math"][property.name="random"]',
    message: 'Random values come from src/domain/crypto.ts.'
  },
  {
    selector: 'CallExpression[callee.name="RegExp"], NewExpression[callee.name="RegExp"]',
    message: 'Patterns are literals: none is built from input.'
  },
  {
    selector: 'CallExpression[callee.object.property.name="log"] > TemplateLiteral',
    message: 'A log message is a constant; what varies goes into the object before it.'
  }
]
/** Trusted Types and the policy of the pages would block these as well, but only when they run. */
const markup = [
  {
    selector: 'JSXAttribute[name.name=/^(dangerouslySetInnerHTML|style)$/]',
    message: 'The policy of the pages allows neither HTML from text nor inline styles: use classes.'
  },
  {
    selector: 'MemberExpression[property.name=/^(inner|outer)HTML$|^insertAdjacentHTML$/]',
    message: 'Text becomes text: render it with Preact.'
  }
]
const lateConnection = {
  selector:
    'ImportExpression[source.value=/^(?:node:)?(?:net|tls|https?|http2|dgram|nodemailer)(?:$|[/])/]',
  message: outbound
}

const sessionById = {
  selector:
    'CallExpression[callee.name="eq"][arguments.0.object.name="sessions"]' +
    '[arguments.0.property.name="id"]:has(> [property.name="sessionId"])',
  message: 'isSessionOf finds the session of an actor, by its secret as well.'
}
const newSession = {
  selector: [
    'CallExpression[callee.property.name="insert"][arguments.0.name="sessions"]',
    'TemplateElement[value.raw=/insert into\\s+"?sessions\\b/i]',
    'TemplateLiteral:has(> [value.raw=/insert into\\s*$/i]) > Identifier[name="sessions"]'
  ].join(),
  message: 'Sessions begin in startSession, so that no way to sign in avoids the second factor.'
}
const lenientText = {
  selector:
    'CallExpression[callee.name=/^readFile(Sync)?$/] > Literal[value=/^utf-?8$/],' +
    'ImportDeclaration[source.value="node:stream/consumers"] > [imported.name=/^(text|json)$/]',
  message: 'Text is read with src/domain/text-files.ts, which rejects bytes that are not UTF-8.'
}
const db = ':matches([name="db"], [property.name="db"])'
const bareWrite = {
  selector:
    `CallExpression[callee.property.name=/^(insert|update|delete|execute)$/] > .callee > ${db}.object,` +
    `CallExpression[callee.name=/^record(All)?$/] > ${db}:first-child`,
  message: 'Statements that write run in a transaction, whose handle is called tx.'
}
/** Mistakes that neither the recommended rules nor the compiler find. */
const mistakes = [
  'default-case-last',
  'no-extend-native',
  'no-multi-str',
  'no-new',
  'no-new-wrappers',
  'no-object-constructor',
  'no-proto',
  'no-return-assign',
  'no-self-compare',
  'no-sequences',
  'no-template-curly-in-string',
  'no-throw-literal',
  'no-unmodified-loop-condition',
  'no-unreachable-loop',
  'prefer-promise-reject-errors',
  'prefer-regex-literals'
]
/** Code that is longer than it has to be. */
const detours = [
  'no-extra-bind',
  'no-labels',
  'no-lone-blocks',
  'no-undef-init',
  'no-unneeded-ternary',
  'no-useless-call',
  'no-useless-computed-key',
  'no-useless-constructor',
  'no-useless-rename',
  'no-useless-return',
  'no-var'
]
/** The rules about syntax that all sources keep, but for these. */
const syntaxWithout = (...exceptions) => [
  'error',
  ...[...everywhere, lateConnection, sessionById, newSession, bareWrite, lenientText].filter(
    (rule) => !exceptions.includes(rule)
  )
]

export default [
  { ignores: ['**/dist/', '.tap/', '.build/', '**/.data/', 'openapi/api.d.ts'] },
  js.configs.recommended,
  {
    rules: {
      ...Object.fromEntries([...mistakes, ...detours].map((name) => [name, 'error'])),
      'array-callback-return': ['error', { allowImplicit: false }],
      camelcase: ['error', { properties: 'never', ignoreGlobals: true }],
      curly: ['error', 'multi-line'],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'new-cap': ['error', { capIsNew: false }],
      'no-constant-condition': ['error', { checkLoops: false }],
      'no-empty': ['error', { allowEmptyCatch: true }],
      'no-unused-expressions': ['error', { allowShortCircuit: true, allowTernary: true }],
      'no-unused-vars': ['error', { args: 'none', caughtErrors: 'none', ignoreRestSiblings: true }],
      'no-void': 'error',
      'object-shorthand': ['error', 'properties'],
      'one-var': ['error', { initialized: 'never' }],
      'prefer-const': ['error', { destructuring: 'all' }]
    }
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        Object.getOwnPropertyNames(globalThis).map((name) => [name, false])
      )
    }
  },
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parser: tseslint.parser, parserOptions: { ecmaFeatures: { jsx: true } } },
    // Without the rules whose mistakes the compiler reports.
    rules: {
      ...tseslint.configs.eslintRecommended.rules,
      'no-unused-vars': 'off',
      'prefer-const': ['error', { destructuring: 'all' }]
    }
  },
  { files: ['site/theme/*.js'], languageOptions: { globals: { document: false, window: false } } },
  {
    files: portal,
    // `void` marks a promise that is not awaited.
    rules: { 'no-void': ['error', { allowAsStatement: true }] }
  },
  {
    // Rules that docs/understand/security.md promises for the code.
    files: [...portal, 'src/**/*.js'],
    ignores: ['src/pages/test/**'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      'max-len': ['error', { code: 100, ignoreUrls: true }],
      'max-lines': ['error', 300],
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-restricted-globals': [
        'error',
        ...['fetch', 'WebSocket', 'EventSource'].map((name) => ({ name, message: outbound }))
      ],
      'no-restricted-imports': ['error', { patterns: [noProcesses, noCrypto] }],
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only src/config/config.ts and src/config/shell.ts read environment variables.'
        }
      ],
      '@typescript-eslint/no-restricted-imports': ['error', { patterns: noConnections }],
      'no-restricted-syntax': syntaxWithout()
    }
  },
  // A line for each text, as translators know it.
  { files: ['src/**/words/*.ts'], rules: { 'max-len': 'off' } },
  {
    files: pages,
    rules: { 'no-restricted-syntax': [...syntaxWithout(), ...markup] }
  },
  {
    // Calls of the portal go through the client, which knows what to do about refusals, and asks the
    // session.
    files: ['src/pages/shared/client.ts', 'src/client/connection.ts', 'src/client/cookies.ts'],
    rules: { 'no-restricted-globals': 'off' }
  },
  {
    // Calls of the servers that the configuration names: bounded in time, size and number.
    files: ['src/outbound/fetch.ts'],
    rules: { 'no-restricted-globals': 'off' }
  },
  {
    files: ['src/domain/crypto.ts', 'src/domain/passwords/foreign-comparison.js'],
    rules: { 'no-restricted-imports': ['error', { patterns: [noProcesses] }] }
  },
  {
    files: ['db/postgres/connection.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': 'off' }
  },
  {
    files: ['src/domain/mail/transport.ts', 'src/outbound/sender.ts'],
    rules: { 'no-restricted-syntax': syntaxWithout(lateConnection) }
  },
  {
    files: ['src/domain/actor.ts'],
    rules: { 'no-restricted-syntax': syntaxWithout(sessionById) }
  },
  {
    files: ['src/domain/sign-in/start-session.ts'],
    rules: { 'no-restricted-syntax': syntaxWithout(newSession) }
  },
  {
    // Two only read, one builds a statement that it runs in a transaction, and changes of the schema
    // run alone.
    files: ['db/{indexes,migrate,server-info}.ts', 'src/domain/jobs/delete-batches.ts'],
    rules: { 'no-restricted-syntax': syntaxWithout(bareWrite) }
  },
  {
    // These are files of the kernel and of the lock itself.
    files: ['db/pglite/lock.ts'],
    rules: { 'no-restricted-syntax': syntaxWithout(lenientText) }
  },
  {
    files: ['src/config/config.ts', 'src/config/shell.ts'],
    rules: { 'no-restricted-properties': 'off' }
  },
  {
    files: ['test/browser/*.ts', 'bench/pages.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'CallExpression[callee.property.name=/^(evaluate|addInitScript$)/] > ' +
            ':matches(Literal, TemplateLiteral, ObjectExpression):first-child',
          message: 'Code that runs in a page is a function, which the compiler checks.'
        }
      ]
    }
  }
]
