-- A portal three years old: a million users, two million sessions of the last 37 days, five million records of the last 180.
-- Ids are UUIDv7 of the row's own time, as the portal makes them.
CREATE FUNCTION pg_temp.uuid_at(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(g, 14, 3) || substr(g, 17, 16))::uuid
  FROM (SELECT replace(gen_random_uuid()::text, '-', '') AS g) AS random
$$;
CREATE TEMP TABLE names AS SELECT
  ARRAY['Ada','Grace','Alan','Edsger','Barbara','Donald','Frances','Ken','Radia','Tim','Margaret','Dennis','Karen','Linus','Anita','Niklaus','Joan','John','Mary','Claude'] AS first,
  ARRAY['Lovelace','Hopper','Turing','Dijkstra','Liskov','Knuth','Allen','Thompson','Perlman','Berners','Hamilton','Ritchie','Jones','Torvalds','Borg','Wirth','Clarke','Backus','Keller','Shannon'] AS last;

-- Users came evenly; one in two hundred is of a school that came in one go, long ago.
INSERT INTO users (id, email, email_normalized, name, status, created_at, updated_at, last_login_at)
SELECT pg_temp.uuid_at(at), address, address, name, CASE WHEN random() < 0.02 THEN 'deactivated' ELSE 'active' END, at, at, now() - random() * interval '90 days'
FROM (
  SELECT date_trunc('milliseconds', now() - interval '3 years' + n * interval '3 years' / :users) AS at,
    CASE WHEN n BETWEEN :users / 10 AND :users / 10 + :users / 200 THEN 'student' || n || '@school.example' ELSE lower(f || '.' || l) || n || '@example.com' END AS address,
    f || ' ' || l || CASE WHEN n % 5 = 0 THEN ' ' || chr(65 + n % 26) || substr(md5(n::text), 1, 6) ELSE '' END AS name
  FROM (SELECT n, first[1 + (n * 7) % 20] AS f, last[1 + (n / 20 * 3 + n) % 20] AS l FROM generate_series(1, :users) AS n, names) AS numbered
) AS made;

INSERT INTO roles (id, key, name) SELECT pg_temp.uuid_at(now()), key, key FROM unnest(ARRAY['support', 'pioneer', 'auditor']) AS key;
INSERT INTO user_roles SELECT users.id, roles.id FROM users, roles WHERE roles.key = 'user';
INSERT INTO user_roles SELECT users.id, roles.id FROM users, roles WHERE roles.key = 'support' AND random() < 0.01;
-- The first fiftieth of all users, and three of the last ones.
INSERT INTO user_roles SELECT id, (SELECT id FROM roles WHERE key = 'pioneer') FROM (SELECT id FROM users ORDER BY id LIMIT :users / 50) AS first;
INSERT INTO user_roles SELECT id, (SELECT id FROM roles WHERE key = 'auditor') FROM (SELECT id FROM users ORDER BY id DESC LIMIT 3) AS latest;

CREATE TEMP TABLE people AS SELECT row_number() OVER () AS n, id, email FROM users;
CREATE UNIQUE INDEX ON people (n);
ANALYZE people;

-- A third signed out, a sixth replaced; of the rest most are left to idle out. One robot signs in all day.
INSERT INTO sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at, revoked_at, revoke_reason, ip, user_agent)
SELECT pg_temp.uuid_at(at), sha256(made.n::text::bytea), CASE WHEN made.n % 20 = 0 THEN (SELECT id FROM people WHERE people.n = 1) ELSE people.id END,
  at, seen, at + interval '7 days', CASE WHEN fate < 0.5 THEN seen END, CASE WHEN fate < 0.33 THEN 'logout' WHEN fate < 0.5 THEN 'replaced' END, '203.0.113.7', 'Mozilla/5.0'
FROM (
  SELECT n, at, least(now(), at + power(random(), 4) * interval '7 days') AS seen, random() AS fate, 1 + floor(random() * :users)::bigint AS who
  FROM (SELECT n, date_trunc('milliseconds', now() - interval '37 days' + n * interval '37 days' / :sessions) AS at FROM generate_series(1, :sessions) AS n) AS timed
) AS made JOIN people ON people.n = made.who;

-- One administrator's tool did a twentieth of everything; a twelfth are failed logins of nobody.
INSERT INTO activity (id, at, action, outcome, reason, actor_type, actor_id, actor_label, target_type, target_id, ip, request_id, session_id, source)
SELECT pg_temp.uuid_at(at), at, action, CASE WHEN failed THEN 'failure' ELSE 'success' END, CASE WHEN failed THEN 'wrong-password' END,
  CASE WHEN failed THEN 'anonymous' ELSE 'user' END,
  CASE WHEN failed THEN NULL WHEN made.n % 20 = 0 THEN (SELECT id FROM people WHERE people.n = 2) ELSE people.id END,
  CASE WHEN NOT failed THEN people.email END, 'user', people.id,
  -- One address of a company, one of a few records, and others of a large network.
  CASE WHEN made.n % 10 = 0 THEN '203.0.113.7' WHEN made.n % 100003 = 1 THEN '198.51.100.9'
    ELSE '10.0.0.0'::inet + (made.n::bigint * 7919) % 16777216 END,
  md5('request ' || made.n)::uuid,
  -- One session of a program, and many of twenty records.
  CASE WHEN made.n % 50 = 0 THEN md5('busy') ELSE md5('session ' || made.n / 20) END::uuid, 'api'
FROM (
  SELECT n, at, n % 12 = 0 AS failed, 1 + floor(random() * :users)::bigint AS who,
    CASE WHEN n % 12 = 0 THEN 'auth.login' ELSE (ARRAY['auth.login','auth.login','auth.login','auth.logout','user.update','auth.register'])[1 + n % 6] END AS action
  FROM (SELECT n, date_trunc('milliseconds', now() - interval '180 days' + n * interval '180 days' / :records) AS at FROM generate_series(1, :records) AS n) AS timed
) AS made JOIN people ON people.n = made.who;
UPDATE activity SET action = 'role.create', outcome = 'success' WHERE id IN (SELECT id FROM activity ORDER BY at LIMIT 5);

-- Of a week. A hundred are dead, the last thousand wait.
INSERT INTO outbox (id, kind, user_id, payload, state, last_error, expires_at, created_at, done_at)
SELECT pg_temp.uuid_at(at), 'recovery', people.id, CASE WHEN state IN ('dead', 'pending') THEN decode(repeat('ab', 300), 'hex') END,
  state, CASE state WHEN 'dead' THEN 'smtp 550' END, at + interval '3 days', at, CASE WHEN state <> 'pending' THEN at END
FROM (
  SELECT n, now() - interval '7 days' + n * interval '7 days' / :mails AS at, 1 + floor(random() * :users)::bigint AS who,
    CASE WHEN n > :mails - 1000 THEN 'pending' WHEN n % (:mails / 100) = 0 THEN 'dead' WHEN n % 5 = 0 THEN 'dropped' ELSE 'sent' END AS state
  FROM generate_series(1, :mails) AS n
) AS made JOIN people ON people.n = made.who;
