// The sentences of the page of deliveries.
import { count } from '../../words/en.ts'

const of = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`

export const deliveryWords = {
  title: 'Deliveries',
  lead: 'What was sent to whom, and what was answered. How long this is kept is a setting; 90 days, if nobody changed it.',
  state: 'State',
  any: 'All',
  states: {
    waiting: 'Waiting',
    delivered: 'Delivered',
    failed: 'Failed',
    dropped: 'Dropped',
    folded: 'In a digest',
  },
  flock: 'Flock',
  anyFlock: 'Every Flock',
  receiver: 'Receiver',
  anyReceiver: 'Every receiver',
  time: 'Time',
  days: { '1': '24 hours', '7': '7 days', '30': '30 days' },
  always: 'All that is kept',
  none: 'Nothing was sent.',
  noneMatches: 'No delivery matches.',
  columns: ['When', 'State', 'Receiver', 'About', 'Try', 'Answer', ''],
  subjects: {
    incident: 'Incident',
    digest: 'Digest',
    summary: 'Weekly summary',
  } as Readonly<Record<string, string>>,
  nextTry: 'next try',
  open: 'Open',
  more: 'Show more',
  close: 'Close',
  one: (id: string) => `Delivery ${id}`,
  replay: 'Replay',
  replayed: 'It is sent again.',
  gone: 'Its receiver or its incident is not there any more, so what was sent cannot be shown, nor sent again.',
  shown: 'The message, as a try sends it now. … stands for a secret.',
  incident: 'Open the incident',
  body: 'Body',
  headers: 'Headers',
  isReplay: (id: number) => `Replay of delivery ${id}`,
  replayAll: 'Replay all',
  replaySince: 'Send again what this receiver missed since',
  replayedMany: (n: number, more: boolean) =>
    `${of(n, 'message')} ${n === 1 ? 'is' : 'are'} sent again, in order.${more ? ' There are more: replay again.' : ''}`,
  nothingToReplay: 'Nothing failed since then.',
} as const
