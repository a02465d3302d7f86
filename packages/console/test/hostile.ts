// What intruders write, and a waiting message that is full of it.
import type { QueuedRow } from '../src/stores/deliveries/queue.store.ts'

export const HOSTILE: readonly string[] = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '{{DATE(2026-11-21T00:00:00Z,SHORT)}} {{{x}}} ${7*7} $${{x}} #{7*7} <%= 7*7 %>',
  '=HYPERLINK("https://evil.test","click")',
  "@SUM(1+1)*cmd|' /C calc'!A0",
  '\u001b[2J\u001b]0;owned\u0007\u009b31m',
  'a\r\nSet-Cookie: x=1\r\n\r\n{"event":"forged"}\n{"event":"forged"}',
  'evil \u202egnp.exe \u2066x\u2069 \u200b\ufeff',
  'nul\u0000byte \ud800 lone \udfff surrogates',
  '<!channel> <!here> <!everyone> <@U024BE7LH> <#C024BE7LR> <!subteam^SAZ94GDB8>',
  '<https://evil.test|https://bank.example> &lt;!channel&gt; &amp;lt;!channel&amp;gt;',
  '@channel @here @everyone <at>all</at> #general',
  '`code` ```block``` *bold* _italic_ ~strike~ > quote\n> line\n- item\n1. item',
  '[click](https://evil.test) ![img](https://evil.test/x.png) **bold** \\[x\\](y)',
  '](https://evil.test) | table | --- |',
  'https://evil.test/?a=b&c=d javascript:alert(1)',
  '😀'.repeat(700) + 'x'.repeat(2_000),
  '&<>'.repeat(3_000),
  '"\\'.repeat(5_000),
  'x'.repeat(100_000),
  '',
  ' ',
]

/** A waiting incident in which every text comes from outside. */
export const queuedRow = (from: string, event: string): QueuedRow => ({
  delivery_id: 1,
  message_id: 'msg_1',
  flock_id: 'flock:default',
  subject: 'incident',
  incident_id: 1,
  payload: '',
  attempts: 0,
  reduced: 0,
  partly_sent: 0,
  next_at: 0,
  created_at: 0,
  flock_name: from,
  incident_key: 'incident:sshlogin:0:10.0.0.1:0',
  hash_id: 'a'.repeat(32),
  logtype: '4002',
  summary: 'SSH Login Attempt',
  node_id: 'b'.repeat(16),
  name: from,
  memo: from,
  annotations: '',
  src_host: from,
  src_host_reverse: from,
  dst_port: 22,
  ip_address: '10.0.0.2',
  dst_host: '10.0.0.2',
  incident_at: 0,
  events_count: 3,
  event,
  location: from,
  placement: from,
  triggered_count: 2,
})

/** Every text of a message, keys too. */
export function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(texts)]
}
