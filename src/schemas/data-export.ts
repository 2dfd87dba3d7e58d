import { Type } from '@sinclair/typebox'
import { ActivityRecord } from './activity.ts'
import { AppSettings, UserSettings } from './app-settings.ts'
import { UserFactors } from './factors.ts'
import { ApiKey } from './keys.ts'
import { OutboxMessage } from './outbox.ts'
import { closed, ref } from './primitives.ts'
import { Invitation, UserScope } from './scopes.ts'
import { OwnSession } from './sessions.ts'
import { User } from './users.ts'

const { kind, state, createdAt, doneAt } = OutboxMessage.properties
const { role, createdAt: sentAt, expiresAt } = Invitation.properties
const { scope } = UserScope.properties

/** @public a component of the API document */
export const DataExport = closed(
  {
    account: closed(User.properties, { description: 'The account' }),
    factors: closed(UserFactors.properties, {
      description: 'Second factors and linked accounts'
    }),
    settings: ref(UserSettings),
    appSettings: ref(AppSettings),
    scopes: Type.Array(ref(UserScope), { description: 'Scopes in which the user has roles' }),
    invitations: Type.Array(closed({ scope, role, createdAt: sentAt, expiresAt }), {
      description: 'Open invitations to the confirmed address of the user, newest first'
    }),
    sessions: Type.Array(ref(OwnSession), { description: 'Active sessions, newest first' }),
    keys: Type.Array(ref(ApiKey), { description: 'API keys, also those that have ended' }),
    activity: Type.Array(ref(ActivityRecord), {
      description:
        'Actions of the user and actions on their account, newest first. Actions on other people ' +
        'do not say on whom'
    }),
    mails: Type.Array(closed({ kind, state, createdAt, doneAt }), {
      description: 'Mails to the user, newest first'
    })
  },
  { $id: 'DataExport', description: 'What the portal keeps about a user' }
)
