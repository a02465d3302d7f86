// A message as one SMS: one line of what, on what, from where; what to do next where there is room.
import { cut, nodeKind, oneLine } from '../../message/facts.ts'
import type { Message } from '../../message/message.ts'

/** One SMS of the GSM alphabet (3GPP TS 23.038). */
const LENGTH = 160

export function smsText(message: Message): string {
  const flock = message.flock.name === '' ? '' : ` (${cut(message.flock.name, 30)})`
  if (!('node' in message)) return fit(message.intro, flock)
  const { description, node, token, source, reduced, meaning, next } = message
  // The Flock's own name stands at the end.
  const isBird = node.name !== '' && nodeKind(node.id) === 'Bird'
  const where = token ? `: ${cut(token.memo, 60)}` : isBird ? ` on ${cut(node.name, 40)}` : ''
  const from = source.address === '' ? '' : ` from ${source.address}`
  const text = fit(`${cut(description, 60)}${reduced ? '' : `${where}${from}`}`, flock)
  return withSentences(text, [meaning, ...next])
}

const fit = (text: string, flock: string): string =>
  cut(oneLine(`Rookery: ${cut(oneLine(text), LENGTH - 9 - flock.length)}${flock}`), LENGTH)

/** As many of the sentences as fit whole, in their order. */
function withSentences(text: string, sentences: readonly string[]): string {
  let out = text
  let end = '. '
  for (const sentence of sentences.map(oneLine).filter(Boolean)) {
    if (out.length + end.length + sentence.length > LENGTH) continue
    out += end + sentence
    end = ' '
  }
  return out
}
