import { memberSorts } from '../../db/schema/scopes.ts'
import { deleteScope } from '../domain/scopes/deletion.ts'
import { findScope, listMembers } from '../domain/scopes/list.ts'
import { grantInScope, revokeInScope } from '../domain/scopes/members.ts'
import { findUserId } from '../domain/users/users.ts'
import { closed } from '../schemas/primitives.ts'
import { ScopeKey } from '../schemas/scopes.ts'
import { command, group, inPortal, list, removal } from './command.ts'
import { done } from './output.ts'
import { checked } from './terminal.ts'

/** The scope that is named, if it is well-formed. Throws otherwise. */
const named = async (scope: string) => (await checked(closed({ scope: ScopeKey }), { scope })).scope
const args = { scope: 'such as org:1', role: 'key of a scoped role' }

const change = (what: string, write: typeof grantInScope) =>
  command({
    what,
    args,
    examples: ['org:1 ada@example.com manager'],
    run: inPortal(async ({ db, actor }, { json }, given, who, role) => {
      const membership = { scope: await named(given), userId: await findUserId(db, who), role }
      await write(db, actor, membership)
      await done('Done.', json, membership)
    })
  })

export const scopeCommands = group({
  what: 'roles in scopes, such as one customer or one project',
  examples: ['portal scope members org:1', 'portal scope grant org:1 ada@example.com manager'],
  commands: {
    'members <scope>': list({
      what: 'list the members of a scope with their roles there',
      args,
      examples: ['org:1'],
      sorts: memberSorts,
      rows: async ({ db }, window, _, given) => {
        const scope = await named(given)
        const page = await listMembers(db, scope, window)
        if (page.items.length === 0 && !window.after) await findScope(db, scope)
        return page
      },
      columns: [
        ['email', ({ user }) => user.email],
        ['name', ({ user }) => user.name],
        ['roles', ({ roles }) => roles.map(({ key }) => key)],
        ['id', ({ user }) => user.id]
      ]
    }),
    'grant <scope> <user> <role>': change('grant a role in a scope', grantInScope),
    'revoke <scope> <user> <role>': change('revoke a role in a scope', revokeInScope),
    'delete <scope>': removal({
      what: 'delete a scope with its roles and invitations; nobody gets a role in it for 90 days',
      args,
      examples: ['org:1 --yes'],
      find: async (db, scope) => findScope(db, await named(scope)),
      remove: (db, actor, { key }) => deleteScope(db, actor, key),
      question: (key, { members }) =>
        `This deletes ${key} and all roles in it (members: ${members}).`
    })
  }
})
