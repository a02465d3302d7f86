// The probes that TightVNC 1.3.10 of Debian 12 and our decoy answer alike.
import type { Probe } from '../../../test/probe.ts'
import { JUNK, RESPONSE, version, VERSIONS, VNC_AUTH } from '../client.ts'
import { forgetTries, TIGHT, TIGHT_TYPES, VNC_AUTH_BY_TIGHT } from './client.ts'

/** Who sends a part of a message holds all others up. */
export const concurrency = 1
export const reset = forgetTries

const MINORS = [0, 3, 5, 6, 7, 8, 9, 100]
const TYPES = [0, 1, 2, 3, 5, 6, 7, 16, 17, 18, 19, 20, 30, 113, 129, 255]
const RESPONSES = ['', RESPONSE.slice(0, 1), RESPONSE.slice(0, 15), RESPONSE, `${RESPONSE}x`, '\0'.repeat(16)]

const probe = (name: string, ...send: string[]): Probe => ({ name, send: send.filter(Boolean) })
const byte = (value: number): string => String.fromCharCode(value)
const shown = (text: string): string => JSON.stringify(text)

/** How a client comes to its challenge, by the name of the way. */
const WAYS: readonly (readonly [string, number, readonly string[]])[] = [
  ['3.3', 3, []],
  ...[7, 8, 9].flatMap((minor): (readonly [string, number, readonly string[]])[] => [
    [`3.${minor}, VncAuth`, minor, [VNC_AUTH]],
    [`3.${minor}, Tight`, minor, [TIGHT, VNC_AUTH_BY_TIGHT]],
  ]),
]

export const probes: readonly Probe[] = [
  probe('nothing'),
  ...[...new Set(VERSIONS)].map((text) => probe(`version ${shown(text)}`, text)),
  ...JUNK.map((text) => probe(`junk ${shown(text)}`, text)),
  ...[1, 4, 11].map((length) => probe(`${length} bytes of a version`, version(8).slice(0, length))),
  ...MINORS.flatMap((minor) =>
    TYPES.map((type) => probe(`3.${minor}, type ${type}`, version(minor), byte(type))),
  ),
  ...WAYS.flatMap(([name, minor, turns]) => [
    ...RESPONSES.map((text) => probe(`${name}, response ${shown(text)}`, version(minor), ...turns, text)),
    ...RESPONSES.slice(1).map((text) =>
      probe(`${name}, at once, response ${shown(text)}`, version(minor) + turns.join('') + text),
    ),
  ]),
  ...[7, 8].flatMap((minor) => [
    ...TIGHT_TYPES.flatMap((type) => [
      probe(`3.${minor}, Tight, ${shown(type)}`, version(minor), TIGHT, type),
      probe(`3.${minor}, Tight at once, ${shown(type)}`, version(minor) + TIGHT + type),
      probe(`3.${minor}, Tight, ${shown(type)} and a response`, version(minor), TIGHT, type + RESPONSE),
    ]),
    ...[1, 2, 3].map((length) =>
      probe(
        `3.${minor}, Tight, ${length} bytes of a way`,
        version(minor),
        TIGHT,
        VNC_AUTH_BY_TIGHT.slice(0, length),
      ),
    ),
    probe(`3.${minor}, by byte`, ...`${version(minor)}${VNC_AUTH}${RESPONSE}`),
    probe(`3.${minor}, Tight by byte`, ...`${version(minor)}${TIGHT}${VNC_AUTH_BY_TIGHT}${RESPONSE}`),
  ]),
  probe('3.3, by byte', ...`${version(3)}${RESPONSE}`),
]
