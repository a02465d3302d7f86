// The sentences of the pages of receivers.
import { count } from '../../words/en.ts'

export const receiverWords = {
  title: 'Receivers',
  none: 'No receiver is set up.',
  console: 'Every Flock',
  nobody: 'Nobody is notified.',
  unreached: (n: number) =>
    n === 1 ? 'Incidents of 1 Flock reach no one:' : `Incidents of ${count(n)} Flocks reach no one:`,
  open: 'Open receivers',
  states: { fine: 'Fine', failing: 'Failing', silent: 'Silent', off: 'Switched off' },
  silent: 'Alerts of its Flock are switched off.',
  forTime: 'for',
  lastSuccess: 'Last success',
  neverPassed: 'No message passed, as far as the log of deliveries goes back.',
  waiting: (n: number) => (n === 1 ? '1 message waits' : `${count(n)} messages wait`),
  deliveries: 'Deliveries',
  test: 'Test',
  tested: 'The test arrived.',
  switchOn: 'Switch on',
  switchedOn: 'It is switched on. Open its deliveries to send again what it missed.',
  change: 'Change',
  remove: 'Remove',
  reallyRemove: 'What waits for it is dropped. Remove it?',
  removed: 'The receiver is removed.',
  chat: {
    added: 'The channel is added: alerts of the Flock go there from now on.',
    refused: 'The chat service did not authorise the channel. Nothing was added.',
  },
  add: {
    link: 'Add receiver',
    back: 'Receivers',
    title: 'Add receiver',
    lead: 'Where shall alerts go?',
    unknown: 'This console has no receivers of that kind.',
    flock: 'Flock',
    pairs: 'One on each line, as Name: value.',
    entries: 'One on each line.',
    save: 'Save',
    saved: 'The receiver is added.',
    noTest: 'It can be tested once it is saved.',
    authorise: 'Open the chat service',
    authoriseHow: 'You choose the channel there, and come back here.',
    weekly: 'Weekly summary',
    secretTitle: 'Signing secret',
    secret:
      'Each message is signed with it after Standard Webhooks 1.0. Copy it now: the console never shows it again.',
    verify: 'Verify a message (Node.js)',
    done: 'Done',
  },
  switches: {
    title: 'Alerts of a Flock',
    lead: 'Its own, off, or as the console has it. Lists of e-mail and SMS have their own switches.',
    flock: 'Flock',
    everyFlock: 'As the console',
    alerts: 'Alerts to webhooks',
    flockChanges: 'Alerts of changed settings of the Flock',
    birdChanges: 'Alerts of changed settings of its Birds',
    modes: { global: 'As the console', on: 'On', off: 'Off' },
    consoleTitle: 'Of the console',
  },
} as const

/** Verifies a message; `secret`, `headers` and the raw `body` are the receiver's. */
export const VERIFY = `import { createHmac, timingSafeEqual } from 'node:crypto'

export function verify(secret, headers, body) {
  const id = headers['webhook-id']
  const time = headers['webhook-timestamp']
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const wanted = 'v1,' + createHmac('sha256', key).update(\`\${id}.\${time}.\${body}\`).digest('base64')
  return String(headers['webhook-signature']).split(' ').some(
    (it) => it.length === wanted.length && timingSafeEqual(Buffer.from(it), Buffer.from(wanted)),
  )
}`
