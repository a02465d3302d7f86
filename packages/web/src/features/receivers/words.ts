// The sentences of the page of receivers.
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
  neverPassed: 'No message passed within 90 days.',
  waiting: (n: number) => (n === 1 ? '1 message waits' : `${count(n)} messages wait`),
} as const
