// Tools that print of two servers what they print of one.
import assert from 'node:assert/strict'
import { run } from './command.ts'

export interface ToolRun {
  readonly tool: string
  readonly args: (host: string) => readonly string[]
}

/** What a certificate, an address, a clock or the time of a scan makes differ. */
const OWN =
  /^(Connected to|Testing SSL server|Subject:|Altnames:|Issuer:|Not valid|\| ?_?ssl-cert:|\| ?_?Subject Alternative|\|_?\s*Not valid|Nmap |Starting |Host is|(\|\s*)?Date:)/

/** Runs the tool at both hosts; answers how many lines both printed alike. Throws when they differ. */
export async function printedAlike({ tool, args }: ToolRun, real: string, ours: string): Promise<number> {
  const [theirs, answer] = await Promise.all([real, ours].map((host) => printed(tool, args(host), host)))
  assert.equal(answer, theirs)
  return answer!.split('\n').length
}

/** The lines that do not speak of the certificate, the address or the time; nmap's scripts end in any order. */
async function printed(tool: string, args: readonly string[], host: string): Promise<string> {
  const { stdout, code } = await run(tool, args, { patienceMs: 200_000 })
  if (tool === 'curl' && stdout === '' && isUnanswered(code)) return `exit ${code}`
  assert.notEqual(stdout, '', `${tool} printed nothing of ${host}, and ended with ${code}`)
  const lines = stdout
    .split('\n')
    .filter((line) => !OWN.test(line.trim()))
    .map(withMethodsInOrder)
  const inOrder = tool === 'nmap' ? lines.map((line) => line.replace(/^\|_/, '| ')).sort() : lines
  return inOrder.join('\n').replaceAll(host, 'HOST')
}

/** Curl's exit codes of a server that takes the request and ends the connection without a word, or resets it. */
const isUnanswered = (code: number | null): boolean => code === 52 || code === 56

/** Apache lists its methods in an order that is new at every start. */
const withMethodsInOrder = (line: string): string =>
  line.replace(
    /(Supported Methods: )(.*)/,
    (_, name: string, methods: string) => name + methods.split(' ').sort().join(' '),
  )
