import type { OutboundRequest } from '@rookery/kernel/world.ts'
import { isText, objectOf, type Fields, type ServiceJudge, type Verdict } from './judge.ts'

const TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawx'
const CHAT = '-1001234567890'
const TEXT = 4_096
const ENTITIES = 100

const refused = (error_code: number, description: string): Verdict => ({
  status: error_code,
  body: JSON.stringify({ ok: false, error_code, description }),
})

/** core.telegram.org/bots/api: "Making requests", "sendMessage", "HTML style". */
function telegram({ method, url, body = '', headers }: OutboundRequest): Verdict {
  const [, token] = /^https:\/\/api\.telegram\.org\/bot([^/]+)\/sendMessage$/.exec(url) ?? []
  if (method !== 'POST' || token === undefined) return refused(404, 'Not Found')
  if (token !== TOKEN) return refused(401, 'Unauthorized')
  if (headers['content-type'] !== 'application/json')
    return refused(400, 'Bad Request: message text is empty')
  const { chat_id, text, parse_mode, link_preview_options } = JSON.parse(body) as Fields
  if (chat_id !== CHAT) return refused(400, 'Bad Request: chat not found')
  if (parse_mode !== 'HTML') return refused(400, 'Bad Request: unsupported parse_mode')
  if (objectOf(link_preview_options)['is_disabled'] !== true)
    return refused(400, 'Bad Request: the judge wants no preview')
  if (!isText(text, 1_000_000)) return refused(400, 'Bad Request: message text is empty')
  const parsed = parseHtml(text)
  if (typeof parsed === 'string') return refused(400, `Bad Request: can't parse entities: ${parsed}`)
  if (parsed.text.trim() === '') return refused(400, 'Bad Request: message text is empty')
  if (parsed.text.length > TEXT) return refused(400, 'Bad Request: message is too long')
  if (parsed.entities > ENTITIES) return refused(400, 'Bad Request: too many entities')
  return { status: 200, body: JSON.stringify({ ok: true, result: { message_id: 1 } }) }
}

const TAGS = /^(b|strong|i|em|u|ins|s|strike|del|a|code|pre|blockquote|tg-spoiler)$/

/** The text as it is shown, or why it cannot be read. */
function parseHtml(html: string): { readonly text: string; readonly entities: number } | string {
  const open: string[] = []
  let text = ''
  let entities = 0
  for (const [piece, closes, tag] of html.matchAll(/<(\/?)([^\s>]*)[^>]*>|&[^;\s]*;?|[^<&]+|</g))
    if (tag !== undefined) {
      if (!TAGS.test(tag)) return `Unsupported start tag "${tag}"`
      if (closes === '') {
        open.push(tag)
        entities++
      } else if (open.pop() !== tag) return `Unmatched end tag, found "</${tag}>"`
    } else if (piece.startsWith('&')) {
      if (!/^&(lt|gt|amp|quot|#\d+|#x[0-9a-f]+);$/i.test(piece)) return `Unsupported entity ${piece}`
      text += '?'
    } else if (piece === '<') return 'Unclosed start tag'
    else text += piece
  return open.length > 0
    ? `Can't find end tag corresponding to start tag "${open.at(-1) ?? ''}"`
    : { text, entities }
}

export const telegramJudge: ServiceJudge = {
  given: { token: TOKEN, chat: CHAT },
  open: () => telegram,
  refusal: refused(403, `Forbidden: bot ${TOKEN} is not a member of the channel chat`),
  words:
    'Forbidden: bot … is not a member of the channel chat; add the bot to the chat, and let it write there',
  hasDigest: true,
}
