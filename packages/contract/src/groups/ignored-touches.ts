// Extension: why a touch raised nothing.
import Type from 'typebox'
import { flock_id, node_id, src_ip, text } from '../fields.ts'
import { get, group } from '../operation.ts'

const IgnoredTouch = Type.Object({
  dst_port: Type.Integer({ description: 'Destination port; -1 when unknown' }),
  entry: Type.String({
    description: 'The line, as it was typed, or the annotation that ignored it; empty when unknown',
  }),
  flock_id: text,
  list: Type.String({ description: 'The list that ignored it: ip, hostname, src_port or annotation' }),
  logtype: text,
  name: text,
  node_id: text,
  received: Type.Integer({ description: 'When it was received, epoch seconds' }),
  received_std: Type.String({ description: 'When it was received' }),
  src_host: text,
})

export const ignoredTouches = group(
  'Ignored touches',
  'The last 1,000 touches that raised nothing because an ignore list has their source, at most 200 of a second.',
  {
    list: get(
      '/ignored_touches/list',
      'read-only',
      'flock',
      'List the last touches that were ignored, and the entry that ignored each',
      {
        flock_id: Type.Optional(flock_id),
        node_id: Type.Optional(node_id),
        src_ip: Type.Optional(src_ip),
      },
      Type.Object({
        ignored_touches: Type.Array(IgnoredTouch, { description: 'The touches, newest first' }),
      }),
      { example: { src_ip: '192.0.2.7' } },
    ),
  },
)
