// G13: responses of SAML that no provider has signed, and that cost as much as they can.
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import { metadataSetting, readMetadata, validationSetting } from '@rookery/tokens/saml/metadata.ts'
import { describeVisit, judgeVisit } from '@rookery/tokens/token.ts'
import { exchange } from '../load/exchange.ts'
import { ATTACKER, type Attack, type NamedAttack } from './attack.ts'

const golden = (name: string): Buffer =>
  readFileSync(new URL(`../../../packages/tokens/src/saml/golden/${name}.xml`, import.meta.url))
const SIGNED = golden('signed-assertion').toString()
export const METADATA = golden('provider-metadata')

const BODY_BYTES = 27_000
const A_SECOND = 20

const around = (n: number, xml: string): string =>
  SIGNED.replace('eve', `eve${n}`).replace(
    '<samlp:Status>',
    `<samlp:Extensions>${xml}</samlp:Extensions><samlp:Status>`,
  )
/** Base64 and its escapes take a third more. */
const fill = (piece: string, most: number): string =>
  piece.repeat(Math.min(most, Math.floor((BODY_BYTES * 0.7 - SIGNED.length) / piece.length)))

/** In turn: more elements than are read, as many as are read, and one long text. */
function bodyOf(n: number): string {
  const shapes = [
    () => '<a>'.repeat(20) + fill('<b/>', Infinity) + '</a>'.repeat(20),
    () => fill('<b c="d" e="&#65;"><f ID="g"/></b>', 230),
    () => `<a>${fill('&#65;', Infinity)}</a>`,
  ]
  const xml = around(n, shapes[n % shapes.length]?.() ?? '')
  return new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64') }).toString()
}

const responses: Attack = async ({ tokens, appPath = '/' }, isOver) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  let sent = 0
  const answers: Promise<unknown>[] = []
  while (!isOver()) {
    const body = bodyOf(sent++)
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': Buffer.byteLength(body),
    }
    const options = { host: '127.0.0.1', port: tokens, localAddress: ATTACKER, agent, headers }
    answers.push(exchange({ ...options, method: 'POST', path: appPath }, body).catch(() => undefined))
    await pause(1_000 / A_SECOND)
  }
  await Promise.all(answers)
  agent.destroy()
  return sent
}

/** Milliseconds that this process judges each of so many bodies: the least of three, for others run on its cores as well. */
export function judgementsMs(count: number): number[] {
  const settings = { ...metadataSetting(readMetadata(METADATA)), ...validationSetting(true) }
  const judge = (body: string): number => {
    const facts = { method: 'POST', path: '/', headers: {}, srcHost: '', dstPort: 80 }
    const visit = { channel: 'http' as const, ...facts, body }
    const begunMs = performance.now()
    judgeVisit(kinds['idp-app'], visit, settings, 0)
    describeVisit(kinds['idp-app'], visit, settings, 0)
    return performance.now() - begunMs
  }
  return Array.from({ length: count }, (_, n) => {
    const body = bodyOf(n)
    return Math.min(judge(body), judge(body), judge(body))
  })
}

export const ASSERTION_ATTACKS: Readonly<Record<string, NamedAttack>> = {
  assertions: { title: `SAML responses of 27 KB, ${A_SECOND} a second`, run: responses },
}
