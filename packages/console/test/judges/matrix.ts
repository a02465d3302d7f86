import type { OutboundRequest } from '@rookery/kernel/world.ts'
import { bytesOf, isText, objectOf, type Fields, type ServiceJudge, type Verdict } from './judge.ts'

const TOKEN = 'syt_cm9va2VyeQ_bGVuZ3RoIG9mIGl0_0Xy1Qz'
const ROOM = '!OGEhHVWSdvArJzumhm:example.com'
/** Of an event with what the server adds: sender, signatures, hashes, and ids of events before it. */
const EVENT = 65_536
const ADDED = 5_000

const refused = (status: number, errcode: string, error: string): Verdict => ({
  status,
  body: JSON.stringify({ errcode, error }),
})

/** spec.matrix.org, client-server API: "Sending events to a room", "m.room.message msgtypes", "Size limits". */
function openMatrix(): (request: OutboundRequest) => Verdict {
  const events = new Map<string, string>()
  return ({ method, url, body = '', headers }) => {
    const parts = new URL(url).pathname.split('/').map(decodeURIComponent)
    const [, matrix, client, version, rooms, room, send, type, txnId = ''] = parts
    const path = [matrix, client, version, rooms, send].join('/')
    if (path !== '_matrix/client/v3/rooms/send' || parts.length !== 9)
      return refused(404, 'M_UNRECOGNIZED', 'Unrecognized request')
    if (method !== 'PUT') return refused(405, 'M_UNRECOGNIZED', 'Unrecognized request')
    if (headers['authorization'] !== `Bearer ${TOKEN}`)
      return refused(401, 'M_UNKNOWN_TOKEN', 'Invalid access token passed.')
    if (room !== ROOM) return refused(403, 'M_FORBIDDEN', 'User not in room')
    if (type !== 'm.room.message' || txnId === '') return refused(400, 'M_BAD_JSON', 'Bad event')
    if (bytesOf(body) > EVENT - ADDED) return refused(413, 'M_TOO_LARGE', 'event too large')
    const content = JSON.parse(body) as Fields
    const wrong = wrongIn(content)
    if (wrong !== '') return refused(400, 'M_BAD_JSON', wrong)
    const event_id = events.get(txnId) ?? `$${events.size}`
    events.set(txnId, event_id)
    return { status: 200, body: JSON.stringify({ event_id }) }
  }
}

/** Attributes and tags that clients keep of what an event formats, as far as an alert may use them. */
const KEPT = /<\/?(code|b|strong)>|<br\/>|<a href="https?:\/\/[^"<>]*">|<\/a>/g

function wrongIn(content: Fields): string {
  const { msgtype, body, format, formatted_body } = content
  if (!isText(msgtype, 255) || !isText(body, EVENT)) return "'body' or 'msgtype' not in content"
  if (format !== 'org.matrix.custom.html' || !isText(formatted_body, EVENT)) return 'Unknown format'
  if (Object.keys(objectOf(content['m.mentions'])).length > 0) return 'Somebody is mentioned'
  if (/[<>]/.test(formatted_body.replace(KEPT, ''))) return 'A client would drop a tag'
  if (/@room|@\w+:/.test(body)) return 'Somebody is mentioned by the old rules'
  const outside = formatted_body.replace(/<code>[^<]*<\/code>/g, '').replace(/<a [^>]*>[^<]*<\/a>/g, '')
  return /[^\s]/.test(outside.replaceAll('<br/>', '')) ? 'A text is not in code' : ''
}

export const matrixJudge: ServiceJudge = {
  given: { url: 'https://matrix.example.com', token: TOKEN, room: ROOM },
  open: openMatrix,
  refusal: refused(403, 'M_FORBIDDEN', `User of ${TOKEN} not in room`),
  words: 'M_FORBIDDEN: User of … not in room; invite the account to the room, and let it write there',
  hasDigest: true,
}
