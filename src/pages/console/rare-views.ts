/** Views that many visits of the console do not need. Their code is one file, loaded later. */

export { DeletedFlags, StaleFlags } from './flags/stale-and-deleted.tsx'
export { Flag, NewFlag } from './flags/flag.tsx'
export { Flags } from './flags/list.tsx'
export { Health } from './health.tsx'
export { Outbox } from './mail.tsx'
export { Permissions } from './roles/permissions.tsx'
export { Role, Roles } from './roles/role.tsx'
export { NewSegment, Segment, Segments } from './segments/segment.tsx'
export { Service, Services } from './services.tsx'
export { Sessions } from './sessions.tsx'
export { Scope } from './user/scopes.tsx'
export { Webhook, Webhooks } from './webhooks.tsx'
