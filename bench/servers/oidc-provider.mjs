// Introspection (RFC 7662) by oidc-provider, whose documentation asks for keys and an adapter of
// one's own in production: this one keeps everything in PostgreSQL. A token is issued without the
// pages that a person would see.
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import pg from 'pg'

const { port, database, person, client, package: name } = JSON.parse(process.env.BENCH)
const { default: Provider } = await import(name)
const pool = new pg.Pool({ connectionString: database })
await pool.query(
  'create table stored (model text, id text, payload jsonb not null, expires_at timestamptz, ' +
    'primary key (model, id))'
)

/** The parts of an adapter that introspection uses. */
class Adapter {
  constructor(model) {
    this.model = model
  }
  async upsert(id, payload, expiresIn) {
    await pool.query(
      "insert into stored values ($1, $2, $3, now() + $4 * interval '1 second') on conflict " +
        '(model, id) do update set payload = excluded.payload, expires_at = excluded.expires_at',
      [this.model, id, payload, expiresIn]
    )
  }
  async find(id) {
    const { rows } = await pool.query({
      name: 'find',
      text: 'select payload from stored where model = $1 and id = $2 and expires_at > now()',
      values: [this.model, id]
    })
    return rows[0]?.payload
  }
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: Adapter,
  clients: [{ ...client, grant_types: [], response_types: [], redirect_uris: [] }],
  cookies: { keys: [randomUUID()] },
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
  features: { devInteractions: { enabled: false }, introspection: { enabled: true } },
  ttl: { AccessToken: 86_400, Grant: 86_400 }
})
const handle = provider.callback()
createServer(async (request, response) => {
  if (request.url !== '/login') return handle(request, response)
  const about = { accountId: person.email, clientId: client.client_id }
  const grant = new provider.Grant(about)
  grant.addOIDCScope('openid')
  const token = new provider.AccessToken({
    ...about,
    grantId: await grant.save(),
    gty: 'authorization_code',
    scope: 'openid'
  })
  response.setHeader('set-cookie', `token=${await token.save()}`).end()
}).listen(port, '127.0.0.1')
