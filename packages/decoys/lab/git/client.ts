// What git's client sends first (gitprotocol-pack(5), "Git Transport").
import { packet } from '../../src/services/git/protocol/codec.ts'

/** `host`: as it stands behind `host=`; undefined: none is named. */
export const request = (command: string, path: string, host?: string, more: readonly string[] = []): string =>
  packet(
    `git-${command} ${path}\0${host === undefined ? '' : `host=${host}\0`}${more.length > 0 ? `\0${more.map((word) => `${word}\0`).join('')}` : ''}`,
  )
