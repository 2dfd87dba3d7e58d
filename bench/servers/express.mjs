// Express, passport-local, express-session and connect-pg-simple as in their documentation.
import { hash, verify } from '@node-rs/bcrypt'
import connectPgSimple from 'connect-pg-simple'
import express from 'express'
import session from 'express-session'
import passport from 'passport'
import { Strategy } from 'passport-local'
import pg from 'pg'

const {
  port,
  database,
  person: { email, password, name }
} = JSON.parse(process.env.BENCH)
const pool = new pg.Pool({ connectionString: database })
await pool.query(
  'create table if not exists people (id serial primary key, email text unique not null, name ' +
    'text not null, password_hash text not null, roles text[] not null)'
)
await pool.query(
  'insert into people (email, name, password_hash, roles) values ($1, $2, $3, $4) on conflict ' +
    'do nothing',
  [email, name, await hash(password, 10), ['user']]
)

passport.use(
  new Strategy({ usernameField: 'email' }, async (email, password, done) => {
    const {
      rows: [user]
    } = await pool.query('select * from people where email = $1', [email])
    done(null, user && (await verify(password, user.password_hash)) ? user : false)
  })
)
passport.serializeUser((user, done) => done(null, user.id))
passport.deserializeUser(async (id, done) => {
  const {
    rows: [user]
  } = await pool.query('select id, email, name, roles from people where id = $1', [id])
  done(null, user ?? false)
})

const app = express()
app.use(express.json())
app.use(
  session({
    store: new (connectPgSimple(session))({ pool, createTableIfMissing: true }),
    secret: 'of this benchmark alone',
    resave: false,
    saveUninitialized: false,
    cookie: { maxAge: 7 * 86_400_000 }
  })
)
app.use(passport.session())
app.post('/login', passport.authenticate('local'), (request, response) =>
  response.json({ user: request.user })
)
app.get('/me', (request, response) =>
  request.user
    ? response.json({ user: request.user })
    : response.status(401).json({ error: 'unauthenticated' })
)
app.listen(port, '127.0.0.1')
