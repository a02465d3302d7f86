// The probes that TigerVNC 1.12 of Debian 12 and our decoy answer alike.
import type { Probe } from '../../../test/probe.ts'
import { JUNK, RESPONSE, SUB_TYPES, VENCRYPT, version, VERSIONS, VNC_AUTH } from '../client.ts'

export const concurrency = 6

const MINORS = [0, 3, 5, 6, 7, 8, 9, 100]
const TYPES = [0, 1, 2, 3, 5, 6, 7, 16, 17, 18, 19, 20, 30, 113, 129, 255]
const VENCRYPT_VERSIONS = ['\0\0', '\0\x01', '\0\x02', '\0\x03', '\x01\0', '\xff\xff', '\0', '\x02']
const RESPONSES = ['', RESPONSE.slice(0, 1), RESPONSE.slice(0, 15), RESPONSE, `${RESPONSE}x`, '\0'.repeat(16)]

const probe = (name: string, ...send: string[]): Probe => ({ name, send })
const byte = (value: number): string => String.fromCharCode(value)

export const probes: readonly Probe[] = [
  probe('nothing'),
  ...[...new Set(VERSIONS)].map((text) => probe(`version ${JSON.stringify(text)}`, text)),
  ...JUNK.map((text) => probe(`junk ${JSON.stringify(text)}`, text)),
  ...[1, 4, 11].map((length) => probe(`${length} bytes of a version`, version(8).slice(0, length))),
  ...MINORS.flatMap((minor) =>
    TYPES.map((type) => probe(`3.${minor}, type ${type}`, version(minor), byte(type))),
  ),
  ...[3, 7, 8].flatMap((minor) => [
    ...RESPONSES.map((response) =>
      probe(
        `3.${minor}, response ${JSON.stringify(response)}`,
        ...[version(minor), ...(minor === 3 ? [] : [VNC_AUTH]), response].filter(Boolean),
      ),
    ),
    ...RESPONSES.slice(1).map((response) =>
      probe(
        `3.${minor}, all at once, response ${JSON.stringify(response)}`,
        [version(minor), ...(minor === 3 ? [] : [VNC_AUTH]), response].join(''),
      ),
    ),
  ]),
  ...[7, 8].flatMap((minor) => [
    ...VENCRYPT_VERSIONS.map((text) =>
      probe(`3.${minor}, VeNCrypt ${JSON.stringify(text)}`, version(minor), VENCRYPT, text),
    ),
    ...VENCRYPT_VERSIONS.map((text) =>
      probe(`3.${minor}, VeNCrypt at once ${JSON.stringify(text)}`, version(minor) + VENCRYPT + text),
    ),
    ...SUB_TYPES.map((type) =>
      probe(`3.${minor}, sub-type ${JSON.stringify(type)}`, version(minor), VENCRYPT, '\0\x02', type),
    ),
    ...SUB_TYPES.map((type) =>
      probe(
        `3.${minor}, sub-type at once ${JSON.stringify(type)}`,
        `${version(minor)}${VENCRYPT}\0\x02${type}`,
      ),
    ),
    ...[1, 2, 3].map((length) =>
      probe(
        `3.${minor}, ${length} bytes of a sub-type`,
        version(minor),
        VENCRYPT,
        '\0\x02',
        '\0\0\x01\x02'.slice(0, length),
      ),
    ),
    probe(`3.${minor}, by byte`, ...`${version(minor)}${VNC_AUTH}${RESPONSE}`),
    probe(`3.${minor}, VeNCrypt by byte`, ...`${version(minor)}${VENCRYPT}\0\x02\0\0\0\x02`),
  ]),
  probe('3.3, by byte', ...`${version(3)}${RESPONSE}`),
]
