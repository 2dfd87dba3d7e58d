import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { root } from '../support/root.ts'

/** The settings of a unit in its section Service. */
const settings = (file: string) => {
  const text = readFileSync(path.join(root, 'deploy', file), 'utf8')
  return text.split('\n').filter((line) => /^[A-Z]\w+=/.test(line))
}
const files = ['portal@.service']

t.test(
  'every unit can reach nothing but its own folder, its sockets and ordinary calls',
  async (t) => {
    for (const file of files) {
      const set = settings(file)
      for (const line of [
        'User=portal',
        'NoNewPrivileges=true',
        'CapabilityBoundingSet=',
        'ProtectSystem=strict',
        ...['Home', 'Clock', 'ControlGroups', 'Hostname'].map((what) => `Protect${what}=true`),
        ...['Logs', 'Modules', 'Tunables'].map((what) => `ProtectKernel${what}=true`),
        ...['Tmp', 'Devices'].map((what) => `Private${what}=true`),
        ...['Namespaces', 'Realtime', 'SUIDSGID'].map((what) => `Restrict${what}=true`),
        'ProtectProc=invisible',
        'LockPersonality=true',
        'RemoveIPC=true',
        'UMask=0077',
        'SystemCallArchitectures=native',
        'SystemCallFilter=@system-service',
        'SystemCallFilter=~@privileged @resources'
      ]) {
        t.ok(set.includes(line), `${file}: ${line}`)
      }
      t.notOk(set.includes('MemoryDenyWriteExecute=true'), 'V8 compiles to machine code')
    }
  }
)
