import type { Variables } from './read-environment.ts'

/** Who uses this shell, and from where. */
export interface Shell {
  /** The user who became another one with sudo. */
  sudoUser: string | undefined
  /** The address and port of this machine at which an SSH client has connected. */
  ssh: { address: string; port: number } | undefined
}

/** Makes a folder the one of APP, which an option of a command can name as well. */
export function setApp(folder: string) {
  process.env.APP = folder
  return folder
}

export function readShell({ SUDO_USER, SSH_CONNECTION = '' }: Variables = process.env): Shell {
  const [, , address, port] = SSH_CONNECTION.split(' ')
  return {
    sudoUser: SUDO_USER || undefined,
    ssh: address && port ? { address, port: Number(port) } : undefined
  }
}
