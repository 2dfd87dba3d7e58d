import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Shell } from '../config/shell.ts'
import { UsageError } from './errors.ts'

/** Where the console can be reached, and how to get there. */
export interface Place {
  /** Of the link, on the machine with the browser. */
  origin: string
  /** The tunnel from the operator's own machine, if one is needed or likely. */
  tunnel: string | undefined
  /** Removes what listening has left on the disk. */
  remove(): void
}

/** Listens on loopback. @param port a free one if undefined */
export async function listenOnPort(
  app: FastifyInstance,
  port: number | undefined,
  shell: Shell
): Promise<Place> {
  try {
    await app.listen({ host: '127.0.0.1', port: port ?? 0 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    throw new UsageError(
      code === 'EACCES'
        ? `This user may not listen on port ${port}. Choose one above 1023.`
        : `Another process uses port ${port}. Choose another one.`
    )
  }
  const address = app.server.address()
  const used = typeof address === 'object' && address ? address.port : 0
  return {
    origin: `http://127.0.0.1:${used}`,
    tunnel: shell.ssh && sshTo(shell, used, `127.0.0.1:${used}`),
    remove() {}
  }
}

/** For a browser at the other end of the tunnel, which has to have some port. */
const tunnelPort = 41_873

/** Listens on a socket in a folder that only this user can enter. It goes with the process. */
export async function listenOnSocket(app: FastifyInstance, shell: Shell): Promise<Place> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-console-')) // mode 0700
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.on('exit', remove)
  const socket = path.join(folder, 'socket')
  await app.listen({ path: socket })
  return {
    origin: `http://127.0.0.1:${tunnelPort}`,
    tunnel: sshTo(shell, tunnelPort, socket),
    remove
  }
}

function sshTo({ ssh, sudoUser }: Shell, port: number, target: string) {
  const user = sudoUser ?? os.userInfo().username
  const server = ssh && ssh.port !== 22 ? `-p ${ssh.port} ` : ''
  return `ssh -N -L ${port}:${target} ${server}${user}@${ssh?.address ?? os.hostname()}`
}
