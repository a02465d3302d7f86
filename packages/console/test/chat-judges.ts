// Chat services as their published rules have them: each takes or refuses what is posted to it, and says what of it would
// be more than text for the people who read it.

export interface Posted {
  readonly url: URL
  readonly json: Readonly<Record<string, unknown>>
}

export interface Verdict {
  readonly status: number
  readonly body: string
}

export interface Judge {
  /** A URL of the service, as it gives them. */
  readonly url: string
  readonly judge: (posted: Posted) => Verdict
  /** What would be formatted, linked or mention somebody; our link to the console is none. */
  readonly acts: (json: Posted['json'], consoleUrl: string) => string[]
  /** It refuses in its own words. */
  readonly refusal: Verdict
}

type Fields = Readonly<Record<string, unknown>>

const surplus = (of: Fields, known: string): string | undefined =>
  Object.keys(of).find((key) => !known.split(' ').includes(key))
const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const bytes = (json: unknown): number => Buffer.byteLength(JSON.stringify(json))
const isBetween = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'string' && value.length >= min && value.length <= max

/** Lines that are more than one or two code spans. */
const outsideCode = (text: string): string[] =>
  text.split('\n').filter((line) => !/^`[^`]+`( `[^`]+`)?$/.test(line))
const LINKS = /:\/\/|www\.|[\p{L}\p{N}-]\.\p{L}{2}/u

const slack = ({ json }: Posted): Verdict => {
  const wrong = (body: string): Verdict => ({ status: 400, body })
  if (surplus(json, 'text mrkdwn unfurl_links unfurl_media blocks attachments thread_ts'))
    return wrong('invalid_payload')
  if (!isBetween(json['text'], 1, 40_000)) return wrong('no_text')
  const blocks = list(json['blocks'])
  if (blocks.length > 50) return wrong('invalid_blocks')
  for (const { type, text, elements } of blocks) {
    if (type === 'header' && !isBetween((text as Fields)['text'], 1, 150)) return wrong('invalid_blocks')
    if (type === 'section' && !isBetween((text as Fields)['text'], 1, 3_000)) return wrong('invalid_blocks')
    if (type === 'context' && list(elements).length > 10) return wrong('invalid_blocks')
  }
  return { status: 200, body: 'ok' }
}

const discord = ({ url, json }: Posted): Verdict => {
  const wrong = (code: number, message: string): Verdict => ({
    status: 400,
    body: JSON.stringify({ message, code }),
  })
  // Without it, a message that is not kept is answered as if it were.
  if (url.searchParams.get('wait') !== 'true') return { status: 204, body: '' }
  if (surplus(json, 'content username avatar_url tts embeds allowed_mentions flags'))
    return wrong(50_035, 'Invalid Form Body')
  const embeds = list(json['embeds'])
  if (!json['content'] && embeds.length === 0) return wrong(50_006, 'Cannot send an empty message')
  if (json['content'] !== undefined && !isBetween(json['content'], 1, 2_000))
    return wrong(50_035, 'Invalid Form Body')
  let total = 0
  for (const { title, description } of embeds) {
    total += textOf(title).length + textOf(description).length
    if (textOf(title).length > 256 || !isBetween(description, 1, 4_096))
      return wrong(50_035, 'Invalid Form Body')
  }
  return embeds.length > 10 || total > 6_000
    ? wrong(50_035, 'Invalid Form Body')
    : { status: 200, body: '{"id":"1"}' }
}

const googleChat = ({ json }: Posted): Verdict => {
  const wrong = (message: string): Verdict => ({
    status: 400,
    body: JSON.stringify({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  })
  const unknown = surplus(json, 'text cardsV2 thread fallbackText accessoryWidgets')
  if (unknown !== undefined) return wrong(`Invalid JSON payload received. Unknown name "${unknown}"`)
  if (bytes(json) > 32_000) return wrong('Message is too long.')
  for (const { card } of list(json['cardsV2'])) {
    if (!isBetween(((card as Fields)['header'] as Fields)['title'], 1, 32_000))
      return wrong('title is required')
    const widgets = list((card as Fields)['sections']).flatMap((section) => list(section['widgets']))
    if (widgets.length === 0 || widgets.length > 100) return wrong('Card has too few or too many widgets.')
    if (widgets.some((it) => surplus(it, 'textParagraph buttonList') !== undefined))
      return wrong('Unknown widget.')
  }
  return { status: 200, body: '{"name":"spaces/A/messages/B"}' }
}

const mattermost = ({ json }: Posted): Verdict =>
  isBetween(json['text'], 1, 16_383)
    ? { status: 200, body: 'ok' }
    : { status: 400, body: '{"id":"web.incoming_webhook.text.app_error","message":"No text specified."}' }

const rocketChat = ({ json }: Posted): Verdict =>
  isBetween(json['text'], 1, 5_000)
    ? { status: 200, body: '{"success":true}' }
    : { status: 400, body: '{"success":false,"error":"error-message-size-exceeded"}' }

const teams = ({ json }: Posted): Verdict => {
  if (bytes(json) > 28_000)
    return {
      status: 200,
      body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 413 with ContextId x',
    }
  const [card] = list(json['attachments'])
  return json['type'] === 'message' && card?.['contentType'] === 'application/vnd.microsoft.card.adaptive'
    ? { status: 200, body: '1' }
    : { status: 400, body: 'Summary or Text is required.' }
}

const ntfy = ({ url, json }: Posted): Verdict => {
  const wrong = (error: string): Verdict => ({
    status: 400,
    body: JSON.stringify({ code: 40_024, http: 400, error }),
  })
  if (url.pathname !== '/' || !/^[-_A-Za-z0-9]{1,64}$/.test(textOf(json['topic'])))
    return wrong('invalid request: topic invalid')
  if (surplus(json, 'topic message title tags priority actions click attach markdown icon'))
    return wrong('invalid request: body')
  // What is longer becomes a file.
  if (Buffer.byteLength(textOf(json['message'])) > 4_096) return wrong('message too long')
  return { status: 200, body: '{"id":"a","event":"message"}' }
}

export const HOOK = 'a1b2c3d4e5f6g7h8i9j0k1l2m3'

const linked = (consoleUrl: string): RegExp =>
  new RegExp(
    `\\n\\[Open the (incident|console)\\]\\(${consoleUrl.replaceAll('.', '\\.')}(incidents/[0-9a-f]+)?\\)$`,
  )

const markdownActs =
  (hidden: RegExp | undefined): Judge['acts'] =>
  (json, consoleUrl) => {
    const text = textOf(json['text']).replace(linked(consoleUrl), '')
    return [...outsideCode(text), ...(hidden?.exec(text) ?? [])]
  }

export const chatJudges: Readonly<Record<string, Judge>> = {
  slack: {
    url: 'https://hooks.slack.com/services/T0/B0/secret',
    judge: slack,
    acts: (json, consoleUrl) =>
      [json, ...list(json['blocks'])]
        .flatMap(({ text, elements }) => [text, ...list(elements)])
        .map((it) => (typeof it === 'string' ? it : textOf((it as Fields | undefined)?.['text'])))
        .filter(
          (it) =>
            /[<>]/.test(it) &&
            !(it.startsWith(`<${consoleUrl}`) && /^[^|]*\|Open the (incident|console)>$/.test(it)),
        ),
    refusal: { status: 404, body: 'no_service' },
  },
  discord: {
    url: 'https://discord.com/api/webhooks/1/secret',
    judge: discord,
    acts: (json) => [
      ...[textOf(json['content']), ...list(json['embeds']).map((it) => textOf(it['description']))].flatMap(
        outsideCode,
      ),
      ...(JSON.stringify(json['allowed_mentions']) === '{"parse":[]}' ? [] : ['mentions']),
    ],
    refusal: { status: 404, body: '{"message": "Unknown Webhook", "code": 10015}' },
  },
  'google-chat': {
    url: 'https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=t',
    judge: googleChat,
    acts: (json, consoleUrl) => {
      const text = JSON.stringify(json)
        .replaceAll(consoleUrl, '')
        .replace(/<\/?b>/g, '')
      return /[<>]/.test(text) || LINKS.test(text) ? [text] : []
    },
    refusal: {
      status: 200,
      body: '{"error":{"code":403,"message":"Webhook was removed","status":"PERMISSION_DENIED"}}',
    },
  },
  mattermost: {
    url: `https://chat.example.com/hooks/${HOOK}`,
    judge: mattermost,
    acts: markdownActs(/[<>@#]/),
    refusal: { status: 200, body: '<!doctype html><html lang="en">Mattermost' },
  },
  'rocket-chat': {
    url: `https://rocket.example.com/hooks/65f0c2a1b3d4e5f60718293a/${'k'.repeat(48)}`,
    judge: rocketChat,
    acts: markdownActs(/[<>@#]/),
    refusal: { status: 200, body: '{"success":false,"error":"Invalid integration id or token provided."}' },
  },
  teams: {
    url: 'https://acme.webhook.office.com/webhookb2/1',
    judge: teams,
    acts: (json) =>
      list(json['attachments'])
        .filter((it) => /"type":"TextBlock"|\{\{/.test(JSON.stringify(it)))
        .map(String),
    refusal: {
      status: 200,
      body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 403 with ContextId x',
    },
  },
  ntfy: {
    url: 'https://ntfy.sh/our-alerts',
    judge: ntfy,
    acts: (json) =>
      [textOf(json['title']), textOf(json['message'])].filter(
        (it) => LINKS.test(it) || json['markdown'] === true,
      ),
    refusal: { status: 403, body: '{"code":40301,"http":403,"error":"forbidden"}' },
  },
}
